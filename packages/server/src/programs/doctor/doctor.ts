/**
 * A program: looks at this machine as the service would meet it, with the same configuration, and says what is missing
 * and what mends it. It starts and ends a Chromium; otherwise it makes, changes and removes nothing.
 */
import { parseArgs, styleText } from 'node:util';
import { ConfigError, readConfig } from '../../config.ts';
import { dashboardFolder } from '../../http/http.ts';
import { checkCluster } from './cluster.ts';
import { checkDatabase } from './database.ts';
import { checkEngines } from './engines.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { checkLock, checkSpace, checkWritable } from './folders.ts';
import { checkIsolation } from './isolation.ts';
import { checkClock, checkMemory, checkNode, checkOpenFiles, checkSharedMemory } from './machine.ts';
import { checkPort } from './port.ts';
import { checkSealing } from './sealing.ts';
import { checkStorage } from './storage.ts';

const usage = `Usage: browserd doctor [--json]

Looks whether this machine can run the service, and says what to mend.
It reads the same BROWSERD_ variables. The exit code is 1 when something is in the way.
`;

async function* examine(env: NodeJS.ProcessEnv, signal: AbortSignal): AsyncGenerator<Finding> {
  yield checkNode();
  yield checkClock();
  let config: ReturnType<typeof readConfig>;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield fail(
      'configuration',
      error.message,
      'Correct these variables; the rest cannot be looked at before.',
    );
    return;
  }
  const given = Object.keys(env).filter((name) => name.startsWith('BROWSERD_'));
  yield ok('configuration', given.join(', ') || 'nothing is set: the defaults');
  yield* await checkWritable(config);
  const { finding, served } = await checkPort(config);
  yield finding;
  yield checkLock(config.dataDir, served);
  yield checkSpace(config);
  yield checkDatabase(config);
  yield* checkCluster(config);
  yield checkSealing(config);
  if (config.blobs !== null) yield checkStorage(config);
  yield checkMemory(config);
  yield checkOpenFiles(config);
  const { findings, isolation } = await checkIsolation(config, env.PATH ?? '');
  yield* findings;
  yield checkSharedMemory(isolation?.mode === 'strict');
  yield dashboardFolder()
    ? ok('dashboard', 'built')
    : warn('dashboard', 'not built; the API works without it', 'In the repository: npm run build');
  if (isolation) yield* await checkEngines({ config, env, isolation, signal });
}

const colors = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

function show({ name, state, detail, fix }: Finding): void {
  const label = styleText(colors[state], state.padEnd(4), { stream: process.stdout });
  const indented = (text: string) => text.replaceAll('\n', `\n${' '.repeat(24)}`);
  process.stdout.write(`${label}  ${name.padEnd(17)} ${indented(detail)}\n`);
  if (fix) process.stdout.write(`${' '.repeat(22)}→ ${indented(fix)}\n`);
}

function conclude(findings: Finding[]): void {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const verdict = failed > 0 ? `${failed} in the way` : 'browserd can run here';
  process.stdout.write(`\n${verdict}${warned > 0 ? `, ${warned} to look at` : ''}.\n`);
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupted.abort(new Error(`ended by ${name}`)));
  const findings: Finding[] = [];
  for await (const finding of examine(process.env, interrupted.signal)) {
    findings.push(finding);
    if (!values.json) show(finding);
  }
  const sound = findings.every(({ state }) => state !== 'fail');
  if (values.json) process.stdout.write(`${JSON.stringify({ ok: sound, checks: findings }, null, 2)}\n`);
  else conclude(findings);
  return sound ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: Error & { code?: string }) => {
  const misused = error.code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(misused ? `${error.message}\n\n${usage}` : `${error.stack}\n`);
  return misused ? 2 : 1;
});
