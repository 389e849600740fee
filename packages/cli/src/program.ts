/** The tree of commands. Options of all commands may stand anywhere on the line. */
import { Command } from 'commander';
import { commandGroups } from './commands/commands.ts';
import { examples } from './options/options.ts';
import { version } from './version.ts';

/** `silent`: the caller reports wrong usage itself. */
export function makeProgram({ silent = false } = {}): Command {
  const program = new Command('browserd')
    .configureOutput(silent ? { writeErr: () => {} } : {})
    .description('Managed browsers over plain HTTP, in the terminal.')
    .version(version)
    .option('--url <address>', 'the service (BROWSERD_URL, http://127.0.0.1:8787)')
    .option('--key <key>', 'API key; better given as BROWSERD_API_KEY, which no list of processes shows')
    .option('--config <file>', 'another config file')
    .option('--json', 'JSON for programs: one document; of events --follow one a line')
    .option('-q, --quiet', 'only what was asked for')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('(see --help)')
    .exitOverride()
    .addHelpText('after', about);
  for (const [title, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(title);
    for (const add of commands) add(program);
  }
  return program.helpCommand(true);
}

const about = `
Address and key: --url and --key, then BROWSERD_URL and BROWSERD_API_KEY, then the config file (browserd config), then
a service on this machine that was started in this folder.

Exit codes: 0 done, 1 the service or the script said no, 2 wrong usage, 3 the service could not be reached,
4 not authenticated or not allowed, 130 interrupted.
${examples(
  'browserd serve',
  'browserd browsers create https://example.com --name shop',
  'browserd run script.ts --browser shop',
  'browserd scrape https://example.com',
)}`;
