/** The neighbour: once a second it does what callers do, and /health is asked beside it; everything is timed. */
import { readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Seen {
  status: number[];
  execute: number[];
  screenshot: number[];
  health: number[];
  failures: string[];
  /** Of the service, in MB: at the start and the most. */
  residentBefore: number;
  residentMost: number;
  databaseBefore: number;
  databaseAfter: number;
}

export interface Victim {
  url: string;
  key: string;
  browserId: string;
  pid: number;
  dataDir: string;
}

const everyMs = 1000;
const healthEveryMs = 100;
const patienceMs = 30_000;

const agent = new Agent({ keepAlive: true });

/** Resolves with the milliseconds it took; rejects unless it was answered with a 2xx. */
function ask(victim: Victim, method: string, path: string, body?: object): Promise<number> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const sent = body && JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${victim.key}`,
      ...(sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
    };
    const outgoing = request(
      victim.url + path,
      { method, headers, agent, timeout: patienceMs },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          if (text.length < 1000) text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          const ok = (response.statusCode ?? 500) < 300 && !text.startsWith('{"success":false');
          if (ok) resolve(performance.now() - began);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}

export const residentOf = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
};

const databaseOf = (dataDir: string): number =>
  ['browserd.sqlite', 'browserd.sqlite-wal']
    .map((name) => statSync(`${dataDir}/${name}`, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytes, 0) /
  1024 ** 2;

export async function observe(victim: Victim, seconds: number): Promise<Seen> {
  const seen: Seen = {
    status: [],
    execute: [],
    screenshot: [],
    health: [],
    failures: [],
    residentBefore: residentOf(victim.pid),
    residentMost: residentOf(victim.pid),
    databaseBefore: databaseOf(victim.dataDir),
    databaseAfter: 0,
  };
  const until = performance.now() + seconds * 1000;
  const note = async (into: number[], call: Promise<number>): Promise<void> => {
    await call.then(
      (ms) => into.push(ms),
      (error: Error) => seen.failures.push(error.message),
    );
  };
  const path = `/v1/browsers/${victim.browserId}`;
  /** At fixed times, so that a slow answer does not thin out the samples that would show it. */
  const beat = async (ms: number, once: () => Promise<void>): Promise<void> => {
    const running: Promise<void>[] = [];
    for (let at = performance.now(); at < until; at += ms) {
      await sleep(Math.max(0, at - performance.now()));
      running.push(once());
    }
    await Promise.all(running);
  };
  await Promise.all([
    beat(everyMs, async () => {
      await note(seen.status, ask(victim, 'GET', `${path}/status`));
      await note(
        seen.execute,
        ask(victim, 'POST', `${path}/script/execute`, { code: 'return await page.title()' }),
      );
      await note(seen.screenshot, ask(victim, 'POST', `${path}/screenshot`, {}));
    }),
    beat(healthEveryMs, async () => {
      seen.residentMost = Math.max(seen.residentMost, residentOf(victim.pid) || 0);
      await note(seen.health, ask(victim, 'GET', '/health'));
    }),
  ]);
  seen.databaseAfter = databaseOf(victim.dataDir);
  return seen;
}
