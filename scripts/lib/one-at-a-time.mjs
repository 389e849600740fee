/**
 * One set-up at a time for one folder, also between processes.
 *
 *   ticket (my pid) ──link──> lock      atomic: the lock appears with its owner's pid already inside
 *   lock of the dead ──mkdir──> grave   only the maker of the grave may remove that lock, so of two
 *                                       waiters that both see a dead owner only one takes over
 *
 * The lock lies in the temporary folder because `npm ci` empties node_modules. It names the pid of every process that
 * works for its owner: while one of them lives, the lock holds.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from './program.mjs';

const lockOf = (folder) => {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return join(tmpdir(), `browserd-set-up-${process.getuid?.() ?? 'user'}-${name}.lock`);
};

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const attempt = (action, ...expected) => {
  try {
    action();
    return true;
  } catch (error) {
    if (expected.includes(error.code)) return false;
    throw error;
  }
};

const ownersOf = (lock) => {
  let text = '';
  attempt(() => {
    text = readFileSync(lock, 'utf8');
  }, 'ENOENT');
  return text.split('\n').filter(Boolean).map(Number);
};

function buryDeadOwner(lock, owners) {
  const grave = `${lock}.${owners[0]}`;
  if (!attempt(() => mkdirSync(grave), 'EEXIST')) return;
  try {
    if (ownersOf(lock).join() === owners.join()) rmSync(lock);
  } finally {
    rmSync(grave, { recursive: true });
  }
}

async function acquire(lock, { onWait, patience }) {
  const ticket = `${lock}.ticket-${process.pid}`;
  writeFileSync(ticket, `${process.pid}\n`);
  const giveUpAt = Date.now() + patience;
  let told = false;
  try {
    while (!attempt(() => linkSync(ticket, lock), 'EEXIST')) {
      const owners = ownersOf(lock);
      if (owners.length > 0 && !owners.some(isAlive)) buryDeadOwner(lock, owners);
      else if (owners.length > 0 && !told) {
        told = true;
        onWait?.(owners[0]);
      }
      if (Date.now() > giveUpAt)
        throw new Problem(
          `Process ${owners[0]} has been setting up this folder for too long.\n` +
            `End it, or remove ${lock} if that process is no set-up of browserd.`,
        );
      await sleep(50);
    }
  } finally {
    rmSync(ticket, { force: true });
  }
}

/** Runs `work` while no other process does it for the same folder; `work` gets a function that adds a pid to the lock. */
export async function oneAtATime(folder, work, { onWait, patience = 15 * 60_000 } = {}) {
  const lock = lockOf(folder);
  await acquire(lock, { onWait, patience });
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work((pid) => appendFileSync(lock, `${pid}\n`));
  } finally {
    process.off('exit', release);
    release();
  }
}
