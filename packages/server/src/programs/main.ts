/** The process: environment in, signals in, exit code out. What the service consists of is in service.ts. */
import { styleText } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { ApiError } from '../errors.ts';
import { createLog } from '../kit/log.ts';
import { SetupError } from '../kit/setup-error.ts';
import { goFirst } from '../process/process.ts';
import { type Service, startService, version } from '../service.ts';
import type { Joined } from './witness.ts';

/** Longer than Chromiums take to end. Whatever else is left, a process that was replaced must not linger. */
const replacedMs = 10_000;
/** EX_TEMPFAIL of sysexits.h: whatever started the service may try again, and is told why at its start. */
const replacedCode = 75;

async function main(): Promise<void> {
  // Nothing of ours goes through a proxy of the environment: calls to ourselves carry the keys of callers.
  process.env.no_proxy = '*';
  // What reads the log may end before the service: its lines are lost then. As a fault, each lost line would log another.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  goFirst();
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'process.unhandled_rejection'));
  const service = await startService(config, log, process.env, {
    // The witness of a cluster's node; a service that is alone may have a starting process, too, which need not know.
    onJoined: (bootId) => void process.send?.({ bootId } satisfies Joined),
  });
  let stopping = false;
  const stop = (why: string, code: number): void => {
    stopping = true;
    log.info({ why }, 'service.stopping');
    service.close().then(
      () => process.exit(code),
      (error) => {
        log.fatal({ err: error }, 'service.stop_failed');
        process.exit(1);
      },
    );
  };
  const asked = (why: string): void => {
    if (stopping) {
      log.warn({ why }, 'service.stop_forced');
      process.exit(1);
    }
    stop(why, 0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked(signal));
  // `npm start`, or the witness, holds a channel to us: when it is killed, the service stops in good order.
  process.once('disconnect', () => asked('the starting process ended'));
  // What a fault has left behind is not known: the browsers' state is saved, and whatever started the service starts it anew.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'process.uncaught_exception');
    if (!stopping) stop('a fault that nothing caught', 1);
  });
  void service.drainAsked.then(() => {
    if (!stopping) stop('the operator asked for a drain', 0);
  });
  void service.replaced.then((why) => {
    if (!stopping) stop(why, replacedCode);
    setTimeout(() => process.exit(replacedCode), replacedMs).unref();
  });
  log.info({ url: service.url, isolation: service.isolation.mode, engine: service.engine }, 'service.ready');
  greet(config, service);
}

function greet(config: Config, service: Service): void {
  const bold = (text: string) => styleText('bold', text);
  const { firstKey, isolation, url } = service;
  const shellKey = firstKey.file ? `$(cat ${quoted(firstKey.file)})` : '$BROWSERD_API_KEY';
  const lines = [
    '',
    bold(`browserd ${version} is ready`),
    '',
    `  address    ${url}`,
    `  dashboard  ${url}/`,
    `  reference  ${url}/docs`,
    `  engine     ${service.engine}, ${config.poolSize} kept warm, at most ${config.maxBrowsers} at once`,
    `  isolation  ${isolation.mode} (${isolation.detail})`,
    firstKey.secret ? `  key        ${firstKey.secret} (shown once)` : undefined,
    `  key file   ${firstKey.file ?? 'none: the key is the one in BROWSERD_API_KEY'}`,
    '',
    'Create your first browser:',
    '',
    `  curl -X POST ${url}/v1/browsers \\`,
    `    -H "Authorization: Bearer ${shellKey}" \\`,
    '    -H "Idempotency-Key: $(date +%s)-$RANDOM" \\',
    `    -H 'Content-Type: application/json' -d '{"startUrl": "https://example.com"}'`,
    '',
    'Ctrl-C stops the service and keeps the state of its browsers.',
    '',
  ];
  process.stdout.write(`${lines.filter((line) => line !== undefined).join('\n')}\n`);
}

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** What the operator can mend is said in words; anything else is a fault of ours and shows where. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return `${error.message}. Another program has this port: stop it, or set BROWSERD_PORT to another one.`;
  return error instanceof SetupError || error instanceof ApiError
    ? error.message
    : (error.stack ?? error.message);
}

main().catch((error: unknown) => {
  process.stderr.write(`browserd could not start.\n${explain(error)}\n`);
  process.exit(1);
});
