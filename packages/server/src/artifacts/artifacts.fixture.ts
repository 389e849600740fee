import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import { createLog } from '../kit/log.ts';
import { Artifacts, type NewArtifact } from './artifacts.ts';
import { openDiskBlobs } from './disk-blobs.ts';

/** A real store and a real folder; call it within a test. `restarted` is the same place after a kill. */
export async function freshArtifacts(quotaBytes: number | null = null) {
  const database = await freshDatabase('sqlite');
  const store = await database.open();
  const { id: projectId } = await store.projects.ensure('default');
  const browser = aBrowser({ projectId });
  await store.browsers.insert(browser, []);
  const folder = join(database.folder, 'blobs');
  const nodeId = newId('node');
  const log = createLog('silent', new Writable());
  const start = async () =>
    new Artifacts({
      store,
      blobs: await openDiskBlobs({ folder, reserveBytes: 0 }),
      log,
      nodeId,
      bootId: newId('node'),
      shared: false,
      quotaBytes,
    });
  const owner = { projectId, browserId: browser.id };
  const aFile = (fields: Partial<NewArtifact> = {}): NewArtifact => ({
    ...owner,
    kind: 'file',
    source: 'upload',
    name: 'a.txt',
    body: Buffer.from('hello'),
    limitBytes: 1024 ** 3,
    ...fields,
  });
  return { store, browser, owner, folder, aFile, artifacts: await start(), restarted: start };
}

/** As many random bytes as asked, in pieces; `between` runs before each piece but the first. */
export async function* piecesOf(
  sizes: readonly number[],
  between: () => Promise<void> | void = () => undefined,
): AsyncGenerator<Uint8Array> {
  for (const [index, size] of sizes.entries()) {
    if (index > 0) await between();
    yield randomBytes(size);
  }
}
