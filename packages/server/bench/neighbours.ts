/**
 * Whether one project is felt by another: each attack runs from project A (four browsers, or a crowd of connections) while
 * project B asks for status, runs a script and takes a screenshot once a second, and /health is asked ten times a second.
 *
 *   npm run bench -- neighbours [--seconds 60] [--attack 'socket:']
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Access } from '../src/access/access.ts';
import { startNameServer } from '../src/egress/way/name-server.fixture.ts';
import { createLog } from '../src/kit/log.ts';
import { goFirst } from '../src/process/process.ts';
import { openStore } from '../src/store/store.ts';
import type { Row } from './measure.ts';
import { attacks } from './neighbours/attacks.ts';
import { clearAway } from './neighbours/elsewhere.ts';
import { line, type Result, table } from './neighbours/report.ts';
import { observe, residentOf, type Victim } from './neighbours/victim.ts';
import { type Bench, startBench } from './service.ts';

const attacker = new URL('neighbours/attacker.ts', import.meta.url).pathname;

/** Not worth waiting for. */
const littleMb = 100;

export interface NeighbourOptions {
  seconds: number;
  /** Only attacks whose name has this in it, or one of these, parted by commas. */
  attack: string;
}

async function keyOf(dataDir: string, project: string, role: 'admin' | 'member' = 'member'): Promise<string> {
  const store = await openStore({ databaseUrl: null, dataDir });
  const access = new Access({ store, log: createLog('silent') });
  const { id } = await access.ensureProject(project);
  const { key } = await access.createKey(id, { name: project, role });
  await store.close();
  return key;
}

/** Resolves when the attack's process has gone. */
async function attackDuring<T>(
  name: string,
  env: { BENCH_URL: string; BENCH_KEY: string; BENCH_ADMIN_KEY: string },
  work: () => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [attacker, name], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Callers share no group of processes with each other.
    detached: true,
  });
  const exited = once(child, 'exit');
  const takeAlong = (): void => void child.kill('SIGTERM');
  process.once('exit', takeAlong);
  try {
    return await work();
  } finally {
    process.off('exit', takeAlong);
    child.kill('SIGTERM');
    await exited;
    clearAway();
  }
}

/** What an attack left is deleted by its own project: jobs first, which would go on. */
async function sweep(bench: Bench, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  for (const what of ['jobs', 'webhooks', 'browsers?status=ready']) {
    const [kind, query] = what.split('?');
    for (;;) {
      const list = await fetch(`${bench.url}/v1/${kind}?limit=100${query ? `&${query}` : ''}`, { headers });
      const { items } = (await list.json()) as { items: { id: string }[] };
      for (const { id } of items)
        await fetch(`${bench.url}/v1/${kind}/${id}`, {
          method: 'DELETE',
          headers: { ...headers, 'idempotency-key': `sweep-${id}` },
        });
      if (items.length < 100) break;
    }
  }
}

/** Waits until the service has given back what the attack made it take, for a minute at most. */
async function rest(pid: number, before: number): Promise<{ residentLater: number; restedAfterS: number }> {
  let restedAfterS = 0;
  while (restedAfterS < 60 && residentOf(pid) - before > littleMb) {
    await sleep(5000);
    restedAfterS += 5;
  }
  return { residentLater: residentOf(pid) - before, restedAfterS };
}

/** The session of this program's shell weighs as much as a service does while the bench runs, and what it did before afterwards. */
function firstSession(): Disposable {
  const file = '/proc/self/autogroup';
  try {
    const before = readFileSync(file, 'latin1').trim().split(' ').at(-1) ?? '0';
    writeFileSync(file, '-10');
    return { [Symbol.dispose]: () => writeFileSync(file, before) };
  } catch {
    // An ordinary user may not, and some kernels form no groups.
    return { [Symbol.dispose]: () => undefined };
  }
}

export async function benchNeighbours({ seconds, attack }: NeighbourOptions): Promise<Row[]> {
  // What is timed is the service: the neighbour is on another machine, and nothing here keeps it from reading the answer.
  goFirst();
  using _session = firstSession();
  // Names that end in `.slow` are never answered.
  using names = await startNameServer({});
  await using bench = await startBench({
    BROWSERD_PRIVATE_ACCESS: 'localhost',
    BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost',
    BROWSERD_DNS_SERVERS: names.address,
    BROWSERD_POOL_SIZE: '1',
    BROWSERD_RATE_LIMIT: '1000000',
  });
  const [keyA, keyB] = [await keyOf(bench.dataDir, 'attacker'), await keyOf(bench.dataDir, 'victim')];
  const adminKey = await keyOf(bench.dataDir, 'attacker', 'admin');
  const victim: Victim = { ...bench, key: keyB, browserId: '' };
  const made = await fetch(`${bench.url}/v1/browsers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyB}`, 'content-type': 'application/json', 'idempotency-key': 'b' },
    body: '{}',
  });
  victim.browserId = ((await made.json()) as { id: string }).id;
  await observe(victim, 5);
  const quiet = await observe(victim, seconds);
  const nothing = { name: 'nothing', seen: quiet, residentLater: 0, restedAfterS: 0 };
  const results: Result[] = [nothing];
  console.log(`  ${line(nothing, quiet)}`);
  const wanted = attack.split(',');
  const env = { BENCH_URL: bench.url, BENCH_KEY: keyA, BENCH_ADMIN_KEY: adminKey };
  for (const name of Object.keys(attacks).filter((each) => wanted.some((part) => each.includes(part)))) {
    // the first seconds are its browsers' start
    const seen = await attackDuring(name, env, () => observe(victim, seconds));
    await sweep(bench, adminKey);
    const result = { name, seen, ...(await rest(bench.pid, seen.residentBefore)) };
    results.push(result);
    console.log(`  ${line(result, quiet)}`);
  }
  console.log(`\n${table(results, quiet)}`);
  return [];
}
