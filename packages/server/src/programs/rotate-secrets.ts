/**
 * Seals everything that is stored with the key that comes first now, so that the others can be given up:
 *
 *   BROWSERD_SECRET_KEY=NEW,OLD, the service started with both ──> rotate-secrets ──> BROWSERD_SECRET_KEY=NEW
 *   with the key file: the service stopped ──> rotate-secrets --new-key ──> the service started
 */
import { parseArgs } from 'node:util';
import { type BlobsConfig, openBlobsBeside } from '../artifacts/artifacts.ts';
import { SetupError } from '../kit/setup-error.ts';
import { addKeyToFile, keepFirstKeyOfFile, openSealing, type Sealing } from '../sealing/sealing.ts';
import { lockFolder, openStore } from '../store/store.ts';
import type { Data } from './which-data.ts';

/** A node that has not been heard of for longer is taken for gone: a sign comes at least once a minute. */
const aliveMs = 90_000;
/** Saved profiles, and the packed profiles of browsers. */
const archiveKinds = ['version_', 'vault_'];

/** As the service has it. */
export type RotationConfig = BlobsConfig & { secretKey: readonly string[] | null };

export async function rotateSecrets(
  args: string[],
  { data, config, out }: { data: Data; config: RotationConfig; out: (text: string) => void },
): Promise<void> {
  const { secretKey } = config;
  const { values } = parseArgs({ args, options: { 'new-key': { type: 'boolean', default: false } } });
  // Held to the end: no service starts between the new key and the last value that is sealed with it.
  using _lock = values['new-key'] ? lockFolder(data.dataDir, 0) : undefined;
  if (values['new-key']) await newKey(data, config);
  const sealing = openSealing({ secretKey, dataDir: data.dataDir });
  const store = await openStore({ ...data, sealing });
  try {
    const others = values['new-key'] ? [] : await store.sealing.nodesWithOtherKey(aliveMs);
    if (others.length > 0)
      throw new SetupError(
        `Nothing was changed: ${others.map(({ nodeId, keyId }) => `${nodeId} seals with ${keyId}`).join(', ')}, not with ${sealing.keyId}. ` +
          'Start the service again with the same keys as here, then rotate.',
      );
    await refuseUnnamedStorage(store, config);
    const { changed } = await store.sealing.reseal();
    const archives = await rewrapArchives({ ...config, dataDir: data.dataDir }, sealing);
    const forgotten = await store.sealing.forgetOthers();
    const removed = secretKey === null ? keepFirstKeyOfFile(data.dataDir) : 0;
    const spare = sealing.keyIds.filter((id) => id !== sealing.keyId);
    out(`${changed + archives} values were sealed anew; everything is sealed with ${sealing.keyId} now.\n`);
    if (removed > 0)
      out(`The key file holds that key alone; the older ones (${spare.join(', ')}) are gone from it.\n`);
    else if (forgotten.length + spare.length > 0)
      out(
        `Nothing needs ${[...new Set([...forgotten, ...spare])].join(', ')} any more: leave them out of BROWSERD_SECRET_KEY from the next start on.\n`,
      );
  } finally {
    await store.close();
  }
}

/** Archives of profiles lie beside the database. Each has a key of its own, and only what that is sealed in changes. */
async function rewrapArchives(config: BlobsConfig, sealing: Sealing): Promise<number> {
  await using opened = await openBlobsBeside(config);
  let changed = 0;
  for (const kind of archiveKinds)
    for await (const id of opened.blobs.ids(kind))
      if (await opened.blobs.rewrite(id, (path) => sealing.rewrapArchive(path, id))) changed++;
  return changed;
}

/** A service that runs would go on with the old key, so there must be none. */
async function newKey(data: Data, config: RotationConfig): Promise<void> {
  const { secretKey } = config;
  if (secretKey !== null)
    throw new SetupError(
      '--new-key is for the key file. With BROWSERD_SECRET_KEY, put the new key before the old one, start the service with both, and rotate without --new-key.',
    );
  const store = await openStore({ ...data, sealing: openSealing({ secretKey, dataDir: data.dataDir }) });
  try {
    if (store.kind === 'postgres') await refuseAlive(store);
    await refuseUnnamedStorage(store, config);
    addKeyToFile(data.dataDir);
  } finally {
    await store.close();
  }
}

type OpenStore = Awaited<ReturnType<typeof openStore>>;

async function refuseUnnamedStorage({ sealing }: OpenStore, { blobs }: RotationConfig): Promise<void> {
  if (blobs === null && (await sealing.hasSharedArchives()))
    throw new SetupError(
      'Nothing was changed: saved profiles lie in storage that is not named here, and would be lost with the old key. Set BROWSERD_BLOBS, and the keys to it, as the service has them.',
    );
}

/** Nodes on other machines hold no lock that is seen here. */
async function refuseAlive(store: OpenStore): Promise<void> {
  const alive = (await store.nodes.list()).filter(({ state, age }) => state !== 'gone' && age <= aliveMs);
  if (alive.length > 0)
    throw new SetupError(
      `Nothing was changed: a service has used this database within the last ${aliveMs / 1000} seconds (${alive.map(({ id }) => id).join(', ')}). Stop it, wait that long, and try again.`,
    );
}
