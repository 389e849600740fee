/** `serve`: the service on this machine, as a process of its own. */
import type { Command } from 'commander';
import { AlreadyReported, Failure } from '../../failure.ts';
import { examples } from '../../options/options.ts';
import { install, runServerProgram, serverFile, serverFileOf } from '../../server/server.ts';

interface ServeOptions {
  host?: string;
  port?: string;
  dataDir?: string;
}

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the service on this machine')
    .option('--host <address>', 'address to listen on (BROWSERD_HOST, 127.0.0.1)')
    .option('--port <port>', 'port to listen on; 0 takes a free one (BROWSERD_PORT, 8787)')
    .option('--data-dir <folder>', 'database, first key, files, states (BROWSERD_DATA_DIR, .browserd)')
    .addHelpText(
      'after',
      `\nOther settings are environment variables: docs/configuration.md. Ctrl-C stops it and keeps the state of its browsers.${examples('browserd serve', 'browserd serve --port 9000 --data-dir /var/lib/browserd')}`,
    )
    .action(async ({ host, port, dataDir }: ServeOptions) => {
      const own = serverFile('main');
      const file = own ?? serverFileOf(process.cwd());
      if (!own && file)
        process.stderr.write(`Running the service that is installed in this folder: ${file}\n`);
      if (!file) throw new Failure(`The service is not installed here. To install it:\n\n    ${install}\n`);
      const code = await runServerProgram(file, [], {
        ...process.env,
        ...(host && { BROWSERD_HOST: host }),
        ...(port && { BROWSERD_PORT: port }),
        ...(dataDir && { BROWSERD_DATA_DIR: dataDir }),
      });
      throw new AlreadyReported(code);
    });
}
