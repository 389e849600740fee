import { spawn, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleFilter, filterStep, type Instruction } from '../../src/process/process.ts';
import { createApi } from '../support/client.ts';
import { makeKey } from '../support/keys.ts';
import { makeFolders } from '../support/server.ts';

/**
 * What a container forbids is forbidden here by the same means: a filter for system calls, and parts of /proc that are hidden.
 * No container runs; the profile of deploy/profiles is loaded as a runtime would load it.
 */
const root = new URL('../../../../', import.meta.url).pathname;
const header = '/usr/include/x86_64-linux-gnu/asm/unistd_64.h';
const bwrap = '/usr/bin/bwrap';
const canRun = process.arch === 'x64' && existsSync(header) && existsSync(bwrap);

interface Rule {
  names: string[];
  args?: { index: number; value: number }[];
}
interface Profile {
  defaultErrnoRet: number;
  syscalls: Rule[];
}
const profile: Profile = JSON.parse(readFileSync(join(root, 'deploy/profiles/seccomp.json'), 'utf8'));

const numbers = (): Map<string, number> =>
  new Map(
    [...readFileSync(header, 'utf8').matchAll(/^#define __NR_(\w+) (\d+)$/gm)].map(
      ([, name = '', number]) => [name, Number(number)],
    ),
  );

/** Every allowed call by its number; the only condition that the profile has is that an argument is not some value. */
function filterOf({ defaultErrnoRet, syscalls }: Profile): Buffer {
  const known = numbers();
  const steps: Instruction[] = [
    filterStep.architecture,
    filterStep.ifArchitecture('x64', 1, 0),
    filterStep.killProcess,
  ];
  for (const { names, args = [] } of syscalls)
    for (const name of names) {
      const number = known.get(name);
      if (number === undefined) continue;
      const [unless] = args;
      steps.push(filterStep.callNumber);
      if (unless)
        steps.push(
          filterStep.ifEqual(number, 0, 3),
          filterStep.argument(unless.index),
          filterStep.ifEqual(unless.value, 1, 0),
          filterStep.allow,
        );
      else steps.push(filterStep.ifEqual(number, 0, 1), filterStep.allow);
    }
  return assembleFilter([...steps, filterStep.fail(defaultErrnoRet)]);
}

/** As Docker does without a word: no namespaces for a container that has no right to them. */
function filterWithoutNamespaces(): Buffer {
  const known = numbers();
  const forbidden = ['unshare', 'clone3', 'mount', 'setns'].map((name) => known.get(name) as number);
  const newUser = 0x10000000;
  return assembleFilter([
    filterStep.callNumber,
    ...forbidden.flatMap((number): Instruction[] => [
      filterStep.ifEqual(number, 0, 1),
      filterStep.fail(number === known.get('clone3') ? 38 : 1),
    ]),
    filterStep.ifEqual(known.get('clone') as number, 0, 4),
    filterStep.argument(0),
    filterStep.maskWith(newUser),
    filterStep.ifEqual(newUser, 0, 1),
    filterStep.fail(1),
    filterStep.allow,
  ]);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-container-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a program of the service under a filter, as the first process of a container would be. */
function confined(
  filter: Buffer,
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  walls: string[] = [],
) {
  const file = join(folder, `filter-${filter.length}`);
  writeFileSync(file, filter);
  const command = ['--dev-bind', '/', '/', ...walls, '--seccomp', '3', '--die-with-parent', '--'];
  const child = spawn(
    bwrap,
    [...command, process.execPath, '--disable-warning=ExperimentalWarning', join(root, program), ...args],
    {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe', openSync(file, 'r')],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => output };
}

const doctor = 'packages/server/src/programs/doctor/doctor.ts';
const main = 'packages/server/src/programs/main.ts';

interface Finding {
  name: string;
  state: string;
  detail: string;
  fix?: string;
}
async function findings(
  filter: Buffer,
  settings: Record<string, string>,
  walls?: string[],
): Promise<Finding[]> {
  await using folders = await makeFolders(settings);
  const run = confined(filter, doctor, ['--json'], folders.env, walls);
  await run.ended;
  return JSON.parse(run.output().slice(run.output().indexOf('{'))).checks;
}
const byName = (all: Finding[], name: RegExp) => all.filter((finding) => name.test(finding.name));

describe.skipIf(!canRun)('in a container', () => {
  test('the seccomp profile lets boxes be built and every Chromium start in one', async () => {
    const all = await findings(filterOf(profile), { BROWSERD_ISOLATION: 'strict', BROWSERD_HOST: '0.0.0.0' });
    expect(byName(all, /^isolation$/)).toMatchObject([
      { state: 'ok', detail: expect.stringContaining('strict') },
    ]);
    const engines = byName(all, /^chromium/);
    expect(engines.length).toBeGreaterThan(0);
    for (const engine of engines) expect(engine).toMatchObject({ state: 'ok' });
  });

  test('the profile keeps what changes the machine from every process', () => {
    const allowed = profile.syscalls.flatMap(({ names }) => names);
    for (const name of [
      ...['bpf', 'init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load', 'reboot'],
      ...[
        'perf_event_open',
        'ptrace',
        'process_vm_writev',
        'userfaultfd',
        'io_uring_setup',
        'keyctl',
        'add_key',
      ],
      ...[
        'open_by_handle_at',
        'setns',
        'swapon',
        'settimeofday',
        'clock_settime',
        'iopl',
        'ioperm',
        'quotactl',
      ],
    ])
      expect(allowed).not.toContain(name);
    expect(new Set(allowed).size).toBe(allowed.length);
  });

  test('a service that may make no namespaces does not listen for others, and says which profile it lacks', async () => {
    await using folders = await makeFolders({ BROWSERD_HOST: '0.0.0.0' });
    const run = confined(filterWithoutNamespaces(), main, [], folders.env);
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(/BROWSERD_HOST is 0\.0\.0\.0.*bubblewrap cannot build the box: bwrap: /s);
    expect(run.output()).toMatch(
      /Allow user namespaces|--security-opt seccomp=deploy\/profiles\/seccomp\.json/,
    );
    expect(run.output()).toContain('BROWSERD_ISOLATION=one-project');
    expect(run.output()).toContain('listen on 127.0.0.1');
  });

  test('where parts of /proc are hidden, that is what is told', async () => {
    const walls = ['--unshare-pid', '--proc', '/proc', '--tmpfs', '/proc/bus'];
    const all = await findings(filterOf(profile), { BROWSERD_HOST: '0.0.0.0' }, walls);
    const [isolation] = byName(all, /^isolation$/);
    expect(isolation).toMatchObject({ state: 'fail', detail: expect.stringContaining('mount proc') });
  });

  test('kept for one project, the service runs there, and takes the keys of no other', async () => {
    await using folders = await makeFolders({
      BROWSERD_HOST: '0.0.0.0',
      BROWSERD_ISOLATION: 'one-project',
      BROWSERD_SANDBOX: 'off',
      BROWSERD_LOG_LEVEL: 'info',
      BROWSERD_API_KEY: 'bd_only-for-this-spec-0000',
    });
    const stranger = await makeKey(folders.dataDir, { project: 'stranger' });
    const run = confined(filterWithoutNamespaces(), main, [], folders.env);
    try {
      await expect.poll(run.output, { timeout: 120_000, interval: 50 }).toContain('service.ready');
      const [, port] = /"url":"http:\/\/[^":]+:(\d+)"/.exec(run.output()) ?? [];
      const api = createApi(`http://127.0.0.1:${port}`, 'bd_only-for-this-spec-0000');
      const ready = await api.call('GET', '/health/ready');
      expect(ready).toMatchObject({
        status: 200,
        body: { checks: { sandbox: { ok: true, isolation: 'process' } } },
      });
      const { body: browser } = await api.create();
      const ran = await api.call('POST', `/v1/browsers/${browser.id}/script/execute`, {
        body: { code: 'return 6 * 7' },
      });
      expect(ran.body).toMatchObject({ result: 42 });
      const other = createApi(api.url, stranger);
      const refused = await other.call('GET', '/v1/browsers');
      expect(refused).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
      expect(refused.body.error.message).toContain('one-project');
    } finally {
      run.child.kill('SIGTERM');
      await run.ended;
    }
  });
});

test.skipIf(spawnSync('apparmor_parser', ['--version']).status !== 0)('AppArmor takes the profile', () => {
  const { status, stderr } = spawnSync(
    'apparmor_parser',
    ['--skip-kernel-load', '--skip-cache', join(root, 'deploy/profiles/apparmor')],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
});
