/** `config`: the address and key that are used unless others are given. */
import { rename } from 'node:fs/promises';
import { Argument, type Command } from 'commander';
import { actLocally, type Globals, type LocalCall, readStdin } from '../call/call.ts';
import { Failure, wrongUsage } from '../failure.ts';
import { examples } from '../options/options.ts';
import {
  type Config,
  checkedUrl,
  configNames,
  configPath,
  readConfig,
  writeConfig,
} from '../settings/settings.ts';

const pathOf = ({ command }: LocalCall): string =>
  command.optsWithGlobals<Globals>().config ?? configPath(process.env);

export function addConfig(program: Command): void {
  const group = program
    .command('config')
    .description('the address and key that are used unless others are given')
    .addHelpText(
      'after',
      examples(
        'browserd config set url https://browsers.example.com',
        'browserd config get',
        'browserd config path',
      ),
    );
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
    .action(actLocally(set));
  group
    .command('get')
    .description('what is kept')
    .addHelpText('after', examples('browserd config get', 'browserd config get url'))
    .addArgument(name().argOptional())
    .action(
      actLocally(async (call: LocalCall, wanted?: keyof Config) => {
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
    .addHelpText('after', examples('browserd config unset key'))
    .addArgument(name())
    .action(
      actLocally(async (call: LocalCall, wanted: keyof Config) => {
        const { [wanted]: _, ...rest } = await readToChange(call);
        await writeConfig(pathOf(call), rest);
        call.out.done(rest, wanted, `${wanted} is forgotten`);
      }),
    );
  group
    .command('path')
    .description('where the file is')
    .addHelpText('after', examples('browserd config path'))
    .action(
      actLocally(async (call: LocalCall) =>
        call.out.json ? call.out.document({ path: pathOf(call) }) : call.out.lines([pathOf(call)]),
      ),
    );
}

async function set(call: LocalCall, name: keyof Config, given: string): Promise<void> {
  const value = (given === '-' ? await readStdin() : given).trim();
  if (name === 'key' && !/^[\x21-\x7e]{20,256}$/.test(value))
    throw wrongUsage('A key has 20 to 256 printable characters without spaces.');
  const path = pathOf(call);
  const kept = name === 'url' ? checkedUrl(value, 'the command line') : value;
  await writeConfig(path, { ...(await readToChange(call)), [name]: kept });
  call.out.done({ path, name }, name, `${name} is kept in ${path}`);
}

/** An invalid file is renamed, not overwritten: nothing in it is lost. */
async function readToChange(call: LocalCall): Promise<Config> {
  const path = pathOf(call);
  try {
    return await readConfig(path);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const aside = `${path}.wrong`;
    await rename(path, aside);
    call.out.warn(`${error.message}\nIt is put aside as ${aside}, and a new one is made.`);
    return {};
  }
}
