import { text } from 'node:stream/consumers';
import { Argument, type Command } from 'commander';
import { act, type Call, type Globals } from '../call.ts';
import { type Config, configNames, configPath, readConfig, writeConfig } from '../config-file.ts';
import { Failure, wrongUsage } from '../failure.ts';
import { examples } from '../help.ts';
import { unlessInterrupted } from '../interrupt.ts';
import { checkedUrl } from '../settings.ts';

const pathOf = ({ command }: Call): string =>
  command.optsWithGlobals<Globals>().config ?? configPath(process.env);

export function addConfig(program: Command): void {
  const group = program
    .command('config')
    .description('the address and key that are used unless others are given');
  const name = (): Argument => new Argument('<name>').choices(configNames);
  group
    .command('set')
    .description('keep a value; - reads it from stdin, which leaves no trace in the shell’s history')
    .addArgument(name())
    .argument('<value>')
    .addHelpText(
      'after',
      examples('browserd config set url https://browsers.example.com', 'browserd config set key - < key.txt'),
    )
    .action(act(set));
  group
    .command('get')
    .description('what is kept')
    .addArgument(name().argOptional())
    .action(
      act(async (call: Call, wanted?: keyof Config) => {
        const config = await readConfig(pathOf(call));
        if (wanted === undefined)
          return call.out.one(config, [
            ['url', config.url],
            ['key', config.key && '(kept)'],
          ]);
        const value = config[wanted];
        if (value === undefined) throw new Failure(`${pathOf(call)} has no ${wanted}.`);
        if (call.out.json) call.out.document(value);
        else call.out.lines([value]);
      }),
    );
  group
    .command('unset')
    .description('forget a value')
    .addArgument(name())
    .action(
      act(async (call: Call, wanted: keyof Config) => {
        const { [wanted]: _, ...rest } = await readConfig(pathOf(call));
        await writeConfig(pathOf(call), rest);
        call.out.done(rest, wanted, `${wanted} is forgotten`);
      }),
    );
  group
    .command('path')
    .description('where the file is')
    .action(
      act(async (call: Call) =>
        call.out.json ? call.out.document({ path: pathOf(call) }) : call.out.lines([pathOf(call)]),
      ),
    );
}

async function set(call: Call, name: keyof Config, given: string): Promise<void> {
  const value = (given === '-' ? await unlessInterrupted(text(process.stdin)) : given).trim();
  if (name === 'key' && !/^[\x21-\x7e]{20,256}$/.test(value))
    throw wrongUsage('A key has 20 to 256 printable characters without spaces.');
  const path = pathOf(call);
  const kept = name === 'url' ? checkedUrl(value, 'the command line') : value;
  await writeConfig(path, { ...(await readConfig(path)), [name]: kept });
  call.out.done({ path, name }, name, `${name} is kept in ${path}`);
}
