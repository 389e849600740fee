/** One service a data folder: two on one SQLite file would each take the other's browsers for its own. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SetupError } from '../kit/setup-error.ts';
import { failureOf } from './databases/databases.ts';

/** A service that is just ending gets this long to let go. */
const handOverMs = 3000;

/** Another service has the folder, or it cannot be locked at all. */
export class FolderLockedError extends SetupError {}

/** An unreferenced database is closed by the garbage collector, and its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * One service a data folder. The lock is an exclusive transaction on an SQLite file: the system drops it with
 * the process however that ends, so there is no stale lock to clean up and no moment between looking and taking.
 * The file stays, empty. Nothing else may open it: closing any descriptor of it would drop the lock.
 */
export function lockFolder(dataDir: string, waitMs = handOverMs): Disposable {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'lock');
  const database = new DatabaseSync(path, { timeout: waitMs, open: false });
  try {
    database.open();
    database.exec('begin exclusive');
    chmodSync(path, 0o600);
  } catch (error) {
    if (database.isOpen) database.close();
    throw new FolderLockedError(whyNot(dataDir, error), { cause: error });
  }
  held.add(database);
  return {
    [Symbol.dispose]() {
      if (held.delete(database)) database.close();
    },
  };
}

const whyNot = (dataDir: string, error: unknown): string =>
  failureOf(error)?.passing === true
    ? `The data folder ${dataDir} is in use by another browserd, and two would take each other's browsers. ` +
      'Stop the other one, or set BROWSERD_DATA_DIR to a folder of its own.'
    : `The data folder ${dataDir} cannot be locked: ${(error as Error).message}. ` +
      'Check that the user of the service may write there, or set BROWSERD_DATA_DIR to another folder.';
