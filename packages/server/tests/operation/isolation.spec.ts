import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processTree } from '../../src/process/process-tree.ts';
import { filesIn, processesOf } from '../support/leaks.ts';
import { startServer, type TestServer, untilStatus } from '../support/server.ts';
import { startSite } from '../support/site.ts';

/** Chromium's main processes: neither the box around them nor what they started. */
const mainsOf = (scratchDir: string): number[] =>
  processesOf(scratchDir)
    .map((line) => Number(line.split(' ')[0]))
    .filter((pid) => / --headless /.test(commandOf(pid)) && !/--type=|bwrap/.test(commandOf(pid)));
const namespace = (pid: number | 'self', kind: string): string => readlinkSync(`/proc/${pid}/ns/${kind}`);
const statusLine = (pid: number, name: string): string =>
  new RegExp(`^${name}:\\s+(.+)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';

describe('in strict mode', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ BROWSERD_ISOLATION: 'strict' });
    await server.api.create();
    await server.api.create();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('every Chromium lives in namespaces of its own, as nobody, with its own sandbox on', async () => {
    const mains = mainsOf(server.scratchDir);
    expect(mains).toHaveLength(2);
    for (const kind of ['net', 'pid', 'ipc', 'mnt', 'user', 'uts']) {
      const seen = new Set([namespace('self', kind), ...mains.map((pid) => namespace(pid, kind))]);
      expect([kind, seen.size]).toEqual([kind, 3]);
    }
    const pids = (await Promise.all(mains.map((pid) => processTree(pid)))).flat().map((ref) => ref.pid);
    for (const pid of pids) expect(statusLine(pid, 'Uid').split(/\s+/)).not.toContain('0');
    const renderers = pids.filter((pid) => commandOf(pid).includes('--type=renderer'));
    expect(renderers.length).toBeGreaterThanOrEqual(2);
    for (const pid of renderers) expect(statusLine(pid, 'Seccomp')).toBe('2');
  });

  test('a box shows system libraries, its profile and nothing else of the machine', async () => {
    const [pid] = mainsOf(server.scratchDir);
    const inBox = (path: string): string[] => {
      try {
        return readdirSync(`/proc/${pid}/root${path}`);
      } catch {
        return [];
      }
    };
    expect(inBox('/').sort()).toEqual(
      expect.arrayContaining(['dev', 'etc', 'proc', 'profile', 'tmp', 'usr']),
    );
    for (const hidden of ['/root', '/home', '/var/lib', '/run', '/srv', '/opt', '/sys'])
      expect(inBox(hidden)).toEqual([]);
    expect(inBox('/etc')).not.toContain('shadow');
    const mounts = readFileSync(`/proc/${pid}/mounts`, 'utf8').split('\n');
    expect(mounts.find((line) => line.split(' ')[1] === '/')).toMatch(/ ro[, ]/);
    expect(inBox('/tmp').filter((name) => name.startsWith('browserd'))).toEqual([]);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/BROWSERD|NODE_CHANNEL/);
    const interfaces = readFileSync(`/proc/${pid}/net/dev`, 'utf8').match(/^\s*\w+:/gm);
    expect(interfaces?.map((name) => name.trim())).toEqual(['lo:']);
    const [, ...routes] = readFileSync(`/proc/${pid}/net/route`, 'utf8').trim().split('\n');
    expect(routes).toEqual([]);
    const sixth = readFileSync(`/proc/${pid}/net/ipv6_route`, 'utf8').trim().split('\n');
    for (const route of sixth.filter(Boolean)) expect(route).toMatch(/\slo$/);
  });
});

describe('in process mode', () => {
  test('a browser lives the same life, with Chromium’s own sandbox on and nothing left behind', async () => {
    const site = await startSite();
    const server = await startServer({ BROWSERD_ISOLATION: 'process' });
    const { api, scratchDir } = server;
    const policy = { privateAccess: { localhost: true } };
    const first = site.nextReport();
    const { body: browser } = await api.create({ policy, startUrl: `${site.origin}/state` });
    await first;
    const [running] = mainsOf(scratchDir);
    const tree = await processTree(running as number);
    const renderers = tree.filter(({ pid }) => commandOf(pid).includes('--type=renderer'));
    expect(renderers.length).toBeGreaterThan(0);
    for (const { pid } of renderers) expect(statusLine(pid, 'Seccomp')).toBe('2');
    await expect.poll(async () => (await api.status(browser.id)).body.activeTab.title).toBe('kept first');
    await api.stop(browser.id);
    const second = site.nextReport();
    await api.resume(browser.id);
    expect(await second).toMatchObject({ localStorage: 'in-local-storage', indexedDb: 'in-indexed-db' });

    const main = mainsOf(scratchDir).find((pid) => profileOf(pid, scratchDir, browser.id));
    process.kill(main as number, 'SIGKILL');
    await expect.poll(async () => (await api.get(browser.id)).body.epoch).toBe(3);
    await untilStatus(api, browser.id, 'ready');
    expect((await api.remove(browser.id)).body.receipt.processesEnded).toBeGreaterThan(2);
    await server[Symbol.asyncDispose]();
    await site.close();
    expect(processesOf(scratchDir)).toEqual([]);
    expect(await filesIn(scratchDir)).toEqual([]);
  });
});

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

const profileOf = (pid: number, scratchDir: string, browserId: string): boolean =>
  commandOf(pid).includes(readlinkSync(`${scratchDir}/${browserId}`));
