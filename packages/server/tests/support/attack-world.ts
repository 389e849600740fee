import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Canaries, openCanaries } from './attack-canaries.ts';
import { type AttackSite, startAttackSite } from './attack-site.ts';
import type { Answer } from './client.ts';
import { startServer, type TestServer } from './server.ts';

/** One attempt. A case that process mode cannot stop says why; then only the service's own health is asked of it. */
export interface Attack {
  name: string;
  gapInProcessMode?: string;
  /** The box has no part in it, nor has the lack of one: made in strict mode only. */
  sameInBothModes?: boolean;
  attempt(world: World): Promise<void>;
}

/**
 * The service under attack, and around it what must stay untouched: a secret in its environment, its data folder and a
 * world-readable file; a world-writable folder; listeners and a process of the machine.
 */
export interface World extends AsyncDisposable {
  mode: 'strict' | 'process';
  server: TestServer;
  site: AttackSite;
  canaries: Canaries;
  outside: string;
  /** May visit the site, and nothing else of this machine. */
  fenced: string;
  /** As it is made by default: nothing of this machine. */
  plain: string;
  /** May visit this machine. */
  loose: string;
  /** The browsers that code was run on, until the next call of theirs has been tried. */
  used: Set<string>;
  /** What this process listens on since this world was opened: not what another test file has left in the worker. */
  ports(): number[];
  run(code: string, options?: RunOptions): Promise<Answer['body']>;
  /** The same after the code has left the vm, with the names of `outsideTheVm` in scope. */
  runOutside(code: string, options?: RunOptions): Promise<Answer['body']>;
}

export interface RunOptions {
  browser?: string;
  args?: Record<string, unknown>;
  timeoutMs?: number;
}

/**
 * The vm is no wall, so the walls are attacked from behind it. This escape: a hook on `call` catches the runner's own
 * Function while `instanceof` asks it. When an escape is closed, put another here.
 */
export const outsideTheVm = `
  const Host = (() => {
    const { call } = Function.prototype;
    let caught;
    Function.prototype.call = function (...all) {
      if (typeof all[0] === 'function' && all[0] !== Function && all[0].name === 'Function') caught = all[0];
      return Reflect.apply(this, all[0], all.slice(1));
    };
    try { ({}) instanceof Function; } finally { Function.prototype.call = call; }
    if (!caught) throw new Error('no way out of the vm');
    return caught;
  })();
  const proc = Host('return process')();
  const need = (name) => proc.getBuiltinModule(name);`;

/** `all` tries each thing and says of each whether it was done. */
const trying = `
  const one = async (work) => {
    let alarm;
    const late = new Promise((_, reject) => { alarm = setTimeout(() => reject(new Error('nothing happened')), 1500); });
    try { return 'DONE ' + String(await Promise.race([work(), late])).slice(0, 200); }
    catch (error) { return 'refused ' + String(error?.code ?? error?.message ?? error).slice(0, 200); }
    finally { clearTimeout(alarm); }
  };
  const all = async (works) =>
    Object.fromEntries(await Promise.all(Object.entries(works).map(async ([name, work]) => [name, await one(work)])));
  const connecting = (make, event = 'connect') => new Promise((resolve, reject) => {
    const socket = make();
    socket.on(event, resolve);
    socket.on('error', reject);
  });`;

export const done = (result: Record<string, string> | null): string[] =>
  Object.entries(result ?? { nothing: 'DONE nothing was tried' })
    .filter(([, said]) => !said.startsWith('refused'))
    .map(([name, said]) => `${name}: ${said}`);

export async function openWorld(mode: 'strict' | 'process'): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const portsBefore = new Set(ownPorts());
  const secret = `secret-${randomUUID()}`;
  process.env.ATTACK_SECRET = secret;
  stack.defer(() => void delete process.env.ATTACK_SECRET);
  // Not in the temporary folder: a box has one of its own by the same name.
  const folder = await mkdtemp('/var/tmp/browserd-attack-');
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  chmodSync(outside, 0o777);
  const secretFile = join(folder, 'secret.js');
  writeFileSync(secretFile, `module.exports = '${secret}';`);
  const canaries = stack.use(await openCanaries(folder));
  const site = stack.use(await startAttackSite());
  const server = stack.use(await startServer({ BROWSERD_ISOLATION: mode }));
  const { api, dataDir, scratchDir } = server;
  const localhost = { privateAccess: { localhost: true } };
  const create = async (policy: object): Promise<string> => (await api.create({ policy })).body.id;
  const [fenced, plain, loose] = [
    await create({ ...localhost, allowedOrigins: [site.origin] }),
    await create({}),
    await create(localhost),
  ];
  const given = {
    service: api.url,
    site: site.origin,
    dataDir,
    scratchDir,
    outside,
    secretFile,
    pid: process.pid,
    victim: canaries.victim.pid,
    canary: { tcp: canaries.tcp, udp: canaries.udp, unix: canaries.unix, abstract: canaries.abstract },
  };
  const used = new Set<string>();
  const run: World['run'] = async (code, { browser = fenced, args, timeoutMs = 30_000 } = {}) => {
    used.add(browser);
    const body = {
      code: `${trying}\n${code}`,
      timeoutMs,
      args: { ...given, ...args },
      capture: { activity: true },
    };
    const answer = await api.call('POST', `/v1/browsers/${browser}/script/execute`, { body });
    const text = JSON.stringify(answer.body);
    for (const hidden of [secret, api.key]) expect(text.includes(hidden), 'a secret got out').toBe(false);
    return answer.body;
  };
  const kept = stack.move();
  return {
    mode,
    server,
    site,
    canaries,
    outside,
    fenced,
    plain,
    loose,
    used,
    ports: () => ownPorts().filter((port) => !portsBefore.has(port)),
    run,
    runOutside: (code, options) => run(`${outsideTheVm}\n${code}`, options),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** What this very process listens on, the exits of its browsers among it. */
function ownPorts(): number[] {
  const inodes = new Set(
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode ?? ''))
    .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16));
}

/** Processes that know the service's folders, by command line or by mount. */
export function processesAround(folder: string): string[] {
  const about = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => about(pid, 'cmdline').includes(folder) || about(pid, 'mountinfo').includes(folder))
    .map((pid) => `${pid} ${about(pid, 'cmdline').replaceAll('\0', ' ').slice(0, 120)}`);
}
