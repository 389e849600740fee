import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** What runs the service on servers is compared with what the service takes. */
const root = resolve(import.meta.dirname, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const settings = [...read('docs/configuration.md').matchAll(/^\| `(BROWSERD_\w+)`/gm)].map(
  ([, name]) => name,
);

/** Paths and addresses inside the container, which a shell on the host knows nothing of. */
const ownOfImage = [
  ...['BROWSERD_HOST', 'BROWSERD_PORT', 'BROWSERD_CHROMIUM_PATH'],
  ...['BROWSERD_DATA_DIR', 'BROWSERD_SCRATCH_DIR', 'BROWSERD_EXCHANGE_DIR', 'BROWSERD_CACHE_DIR'],
];

test('compose.yaml passes every setting on, in the order of the documentation', () => {
  expect(settings.length).toBeGreaterThan(40);
  const passed = [...read('compose.yaml').matchAll(/^ {6}- (BROWSERD_\w+)$/gm)].map(([, name]) => name);
  expect(passed).toEqual(settings.filter((name) => !ownOfImage.includes(name)));
});

test('the Dockerfile and the unit of systemd set nothing that the service does not know', () => {
  for (const path of ['Dockerfile', 'deploy/browserd.service']) {
    const named = [...read(path).matchAll(/\b(BROWSERD_\w+)=/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(1);
    expect([path, named.filter((name) => !settings.includes(name))]).toEqual([path, []]);
  }
});

test('the unit has nothing that forbids the boxes around browsers', () => {
  const lines = read('deploy/browserd.service').split('\n');
  const forbidding =
    /^(RestrictNamespaces|PrivateUsers|ProtectProc|ProcSubset|ProtectKernelTunables|ProtectKernelLogs|ProtectControlGroups|ProtectHostname|SystemCallFilter|MemoryDenyWriteExecute)=/;
  expect(lines.filter((line) => forbidding.test(line))).toEqual([]);
  expect(lines).toContain('NoNewPrivileges=yes');
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'systemd takes the unit as it is',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'browserd-unit-'));
    try {
      // the program and the user need not exist on the machine that looks
      const unit = read('deploy/browserd.service')
        .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
        .replace(/^(User|Group)=.*$/gm, '$1=root');
      writeFileSync(join(folder, 'browserd.service'), unit);
      const { stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', join(folder, 'browserd.service')],
        {
          encoding: 'utf8',
        },
      );
      // of this unit alone: others on the machine may be wrong; DelegateSubgroup is younger than some systemd
      const told = stderr.split('\n').filter((line) => line.includes('browserd.service'));
      expect(told.filter((line) => !/DelegateSubgroup/.test(line))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
