/**
 * Whether one project is felt by another: each attack runs from project A (four browsers, or a crowd of connections) while
 * project B asks for status, runs a script and takes a screenshot once a second, and /health is asked ten times a second.
 *
 *   npm run bench -- neighbours [--seconds 60] [--attack 'socket:']
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Access } from '../src/access/access.ts';
import { createLog } from '../src/kit/log.ts';
import { openStore } from '../src/store/store.ts';
import type { Row } from './measure.ts';
import { attacks } from './neighbours/attacks.ts';
import { observe, residentOf, type Seen, type Victim } from './neighbours/victim.ts';
import { type Bench, startBench } from './service.ts';

const attacker = new URL('neighbours/attacker.ts', import.meta.url).pathname;

export interface NeighbourOptions {
  seconds: number;
  /** Only attacks whose name has this in it. */
  attack: string;
}

const quantile = (values: number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;

async function keyOf(dataDir: string, project: string): Promise<string> {
  const store = await openStore({ databaseUrl: null, dataDir });
  const access = new Access({ store, log: createLog('silent') });
  const { id } = await access.ensureProject(project);
  const { key } = await access.createKey(id, { name: project, role: 'member' });
  await store.close();
  return key;
}

/** Resolves when the attack's process has gone. */
async function attackDuring<T>(
  name: string,
  env: { BENCH_URL: string; BENCH_KEY: string },
  work: () => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [attacker, name], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    return await work();
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** What an attack left: its browsers are deleted by their own project. */
async function sweep(bench: Bench, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const list = await fetch(`${bench.url}/v1/browsers?limit=100`, { headers });
  const { items } = (await list.json()) as { items: { id: string }[] };
  for (const { id } of items) await fetch(`${bench.url}/v1/browsers/${id}`, { method: 'DELETE', headers });
}

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0).padStart(6);

function line(name: string, seen: Seen, quiet: Seen, resident: number): string {
  const slower = quantile(seen.execute, 0.99) / quantile(quiet.execute, 0.99);
  return [
    name.padEnd(48),
    `status p50 ${ms(quantile(seen.status, 0.5))} p99 ${ms(quantile(seen.status, 0.99))}`,
    `execute p50 ${ms(quantile(seen.execute, 0.5))} p99 ${ms(quantile(seen.execute, 0.99))} (${slower.toFixed(1)} ×)`,
    `shot p99 ${ms(quantile(seen.screenshot, 0.99))}`,
    `health p50 ${ms(quantile(seen.health, 0.5))} most ${ms(Math.max(...seen.health))}`,
    `RSS +${(seen.residentMost - seen.residentBefore).toFixed(0)} → +${(resident - seen.residentBefore).toFixed(0)} MB`,
    `db +${(seen.databaseAfter - seen.databaseBefore).toFixed(1)} MB`,
    `failed ${seen.failures.length}${seen.failures.length > 0 ? ` (${seen.failures[0]})` : ''}`,
  ].join('  ');
}

export async function benchNeighbours({ seconds, attack }: NeighbourOptions): Promise<Row[]> {
  await using bench = await startBench({
    BROWSERD_PRIVATE_ACCESS: 'localhost',
    BROWSERD_POOL_SIZE: '1',
    BROWSERD_RATE_LIMIT: '1000000',
  });
  const [keyA, keyB] = [await keyOf(bench.dataDir, 'attacker'), await keyOf(bench.dataDir, 'victim')];
  const victim: Victim = { ...bench, key: keyB, browserId: '' };
  const made = await fetch(`${bench.url}/v1/browsers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyB}`, 'content-type': 'application/json', 'idempotency-key': 'b' },
    body: '{}',
  });
  victim.browserId = ((await made.json()) as { id: string }).id;
  await observe(victim, 5);
  const quiet = await observe(victim, Math.min(seconds, 20));
  console.log(`  ${line('nothing', quiet, quiet, residentOf(bench.pid))}`);
  const env = { BENCH_URL: bench.url, BENCH_KEY: keyA };
  for (const name of Object.keys(attacks).filter((each) => each.includes(attack))) {
    // the first seconds are its browsers' start
    const seen = await attackDuring(name, env, () => observe(victim, seconds));
    await sweep(bench, keyA);
    await sleep(Math.min(60, seconds / 2) * 1000);
    console.log(`  ${line(name, seen, quiet, residentOf(bench.pid))}`);
  }
  return [];
}
