/**
 * The service under measurement: a process of its own, reached over HTTP with kept-alive connections. With the address of a
 * cluster it is started as its operator starts it, with a witness.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Bench extends AsyncDisposable {
  pid: number;
  dataDir: string;
  url: string;
  key: string;
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** The same for an answer that is not JSON. */
  bytes(method: string, path: string, body?: object): Promise<Buffer>;
  create(body?: object): Promise<{ id: string; status: string }>;
  remove(id: string): Promise<unknown>;
  /** What `/metrics` says now, by name and labels. */
  number(sample: string): Promise<number>;
  /** Resolves when the pool is full and nothing boots. */
  settled(): Promise<void>;
}

const checkout = new URL('../../../', import.meta.url).pathname;

/** Of this checkout, or of another one. */
export async function startBench(env: Record<string, string> = {}, folder = checkout): Promise<Bench> {
  const programs = join(folder, 'packages/server/src/programs/');
  const root = await mkdtemp(join(tmpdir(), 'browserd-bench-'));
  const program = env.BROWSERD_CLUSTER_ADDRESS === undefined ? 'main.ts' : 'start.ts';
  const child = spawn(process.execPath, [programs + program], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      BROWSERD_PORT: '0',
      BROWSERD_DATA_DIR: join(root, 'data'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A session of its own, as under systemd or in a container: what the kernel gives it is not shared with the callers.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // In a session of its own it does not hear the Ctrl-C that ends this program.
  const takeAlong = (): void => void child.kill('SIGTERM');
  process.once('exit', takeAlong);
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (log.length < 100_000) log += chunk;
      const ready = /"url":"([^"]+)"[^\n]*service\.ready/.exec(log);
      if (ready?.[1]) resolve(ready[1]);
    });
    void exited.then(() => reject(new Error(`the service did not start:\n${log}`)));
  });
  const key = env.BROWSERD_API_KEY ?? (await readFile(join(root, 'data', 'admin-key'), 'utf8')).trim();
  const agent = new Agent({ keepAlive: true });
  let calls = 0;
  const bytes = (method: string, path: string, body?: object): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const sent = body && JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${key}`,
        'idempotency-key': `bench-${calls++}`,
        ...(sent && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      };
      const outgoing = request(url + path, { method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const whole = Buffer.concat(chunks);
          if ((response.statusCode ?? 500) < 300) resolve(whole);
          else reject(new Error(`${method} ${path}: ${whole}`));
        });
      });
      outgoing.on('error', reject);
      outgoing.end(sent);
    });
  const call = async <T>(method: string, path: string, body?: object): Promise<T> =>
    JSON.parse((await bytes(method, path, body)).toString()) as T;
  return {
    pid: child.pid ?? 0,
    dataDir: join(root, 'data'),
    url,
    key,
    call,
    bytes,
    create: (body) => call('POST', '/v1/browsers', body),
    remove: (id) => call('DELETE', `/v1/browsers/${id}`),
    async number(sample) {
      const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
      const line = (await response.text()).split('\n').find((each) => each.startsWith(`${sample} `));
      return Number(line?.slice(sample.length + 1));
    },
    async settled() {
      for (;;) {
        const { checks } = await call<{ checks: { chromium: { pool: { warm: number; wanted: number } } } }>(
          'GET',
          '/health/ready',
        );
        if (checks.chromium.pool.warm === checks.chromium.pool.wanted) break;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await new Promise((resolve) => setTimeout(resolve, 150));
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', takeAlong);
      child.kill('SIGTERM');
      await exited;
      agent.destroy();
      await rm(root, { recursive: true, force: true });
    },
  };
}
