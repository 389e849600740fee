import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data');
};

/** Another process that takes the lock and keeps it until it is killed. */
const holder = async (folder: string, then = 'setInterval(() => {}, 1000);') => {
  const child = spawn(process.execPath, [
    '--input-type=module-typescript',
    '--eval',
    `import { lockFolder } from '${new URL('./folder-lock.ts', import.meta.url)}';
     const lock = lockFolder(${JSON.stringify(folder)});
     console.log('locked');
     ${then}`,
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
};

test('a folder that another process holds is refused, with the way out', async () => {
  const folder = newFolder();
  await holder(folder);
  expect(() => lockFolder(folder, 0)).toThrow(
    /in use by another browserd.*Stop the other one.*BROWSERD_DATA_DIR/,
  );
});

test('a service that is just ending is waited for', async () => {
  const folder = newFolder();
  await holder(folder, 'setTimeout(() => lock[Symbol.dispose](), 200);');
  lockFolder(folder)[Symbol.dispose]();
});

test('a lock dies with its process, even a killed one', async () => {
  const folder = newFolder();
  const child = await holder(folder);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockFolder(folder)[Symbol.dispose]();
});

test('a folder is locked once within a process too, and free after its release', () => {
  const folder = newFolder();
  const lock = lockFolder(folder);
  expect(() => lockFolder(folder, 0)).toThrow(/in use/);
  lock[Symbol.dispose]();
  lockFolder(folder)[Symbol.dispose]();
});

test('a folder that cannot hold a lock is refused with the reason', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'lock'), { recursive: true });
  expect(() => lockFolder(folder)).toThrow(/cannot be locked.*BROWSERD_DATA_DIR/);
});

test('the lock is made together with a folder that is missing, for its owner alone', () => {
  const folder = newFolder();
  lockFolder(folder)[Symbol.dispose]();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'lock')).mode & 0o777).toBe(0o600);
});
