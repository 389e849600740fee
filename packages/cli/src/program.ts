import { Command } from 'commander';
import { addBrowsers } from './commands/browsers.ts';
import { addCompletion } from './commands/completion.ts';
import { addConfig } from './commands/config.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDownloads } from './commands/downloads.ts';
import { addEvents } from './commands/events.ts';
import { addFiles } from './commands/files.ts';
import { addHandoff } from './commands/handoff.ts';
import { addKeys } from './commands/keys.ts';
import { addMcp } from './commands/mcp.ts';
import { addPdf, addScreenshot } from './commands/quick.ts';
import { addRecordings } from './commands/recordings.ts';
import { addRun } from './commands/run.ts';
import { addScrape } from './commands/scrape.ts';
import { addServe } from './commands/serve.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { examples } from './help.ts';
import { version } from './version.ts';

/** The tree of commands. Options for all of them may stand anywhere on the line. `silent`: mistakes are told by others. */
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
  for (const [title, commands] of Object.entries(groups)) {
    program.commandsGroup(title);
    for (const add of commands) add(program);
  }
  return program.helpCommand(true);
}

const groups = {
  'The service:': [addServe, addDoctor],
  'Browsers:': [addBrowsers, addRun, addHandoff, addEvents],
  'One page, one call:': [addScrape, addScreenshot, addPdf],
  'What a browser holds:': [addFiles, addDownloads, addRecordings],
  'Around it:': [addMcp, addKeys, addWebhooks, addConfig, addCompletion],
};

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
