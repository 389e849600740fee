/**
 * Opens the storage that the operator chose, and proves that it keeps, gives back and removes bytes, before anything relies
 * on it:
 *
 *   BROWSERD_BLOBS   none                  the folder `blobs` in the data folder
 *                    /mnt/shared           a folder that all nodes share
 *                    s3://bucket/prefix    a bucket
 */
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sizeOfDisk } from '../kit/disk-room.ts';
import { newId } from '../kit/id.ts';
import { SetupError } from '../kit/setup-error.ts';
import type { Blobs } from './blobs.ts';
import { openDiskBlobs } from './disk-blobs.ts';
import { type Credentials, openS3Blobs, readS3Place } from './s3/s3.ts';
import { sharedOver } from './shared-blobs.ts';

export interface BlobsConfig {
  dataDir: string;
  storageReserve: number;
  blobs: string | null;
  s3AccessKeyId: string | null;
  s3SecretAccessKey: string | null;
  s3SessionToken: string | null;
}

export interface OpenBlobs extends AsyncDisposable {
  blobs: Blobs;
  /** Whether every node finds them. */
  shared: boolean;
  /** Of the disk that they lie on; null where there is none. */
  diskBytes: number | null;
}

const isS3 = (place: string): boolean => place.startsWith('s3:');

/** The S3 server that the operator named, which browsers must not reach. */
export const blobsEndpoint = ({ blobs }: Pick<BlobsConfig, 'blobs'>): string | undefined =>
  blobs !== null && isS3(blobs) ? readS3Place(blobs).endpoint : undefined;

export async function openBlobs(config: BlobsConfig): Promise<OpenBlobs> {
  const { dataDir, storageReserve: reserveBytes, blobs: place } = config;
  const folder = join(dataDir, 'blobs');
  const own = await openDiskBlobs({ folder, reserveBytes });
  if (place === null)
    return { blobs: own, shared: false, diskBytes: await sizeOfDisk(dataDir), ...nothingToClose };
  const onTheWay = join(dataDir, 'on-the-way');
  // of a service that was killed
  await rm(onTheWay, { recursive: true, force: true });
  const shared = await openShared(config, place, onTheWay);
  return { ...shared, blobs: sharedOver(shared.blobs, own) };
}

/** The same for a program beside a service that may run: nothing of the service is touched, and nothing is left. */
export async function openBlobsBeside(config: BlobsConfig): Promise<OpenBlobs> {
  if (config.blobs === null) return openBlobs(config);
  const folder = join(config.dataDir, 'blobs');
  const own = await openDiskBlobs({ folder, reserveBytes: config.storageReserve });
  const shared = await openShared(config, config.blobs, join(tmpdir(), newId('check')));
  return { ...shared, blobs: sharedOver(shared.blobs, own) };
}

/** What the service finds out at its start: throws, in words for the operator, why the storage cannot be used. */
export async function checkBlobs(config: BlobsConfig): Promise<void> {
  if (config.blobs === null) return;
  const folder = join(tmpdir(), newId('check'));
  await using _opened = await openShared(config, config.blobs, folder);
}

async function openShared(config: BlobsConfig, place: string, folder: string): Promise<OpenBlobs> {
  const opened = isS3(place)
    ? await openBucket(config, place, folder)
    : await openFolder(place, config.storageReserve);
  try {
    await prove(opened.blobs);
    return opened;
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw new SetupError(`The storage of BROWSERD_BLOBS cannot be used. ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const nothingToClose = { [Symbol.asyncDispose]: async () => undefined };

async function openFolder(folder: string, reserveBytes: number): Promise<OpenBlobs> {
  try {
    const blobs = await openDiskBlobs({ folder, reserveBytes });
    return { blobs, shared: true, diskBytes: await sizeOfDisk(folder), ...nothingToClose };
  } catch (error) {
    throw new SetupError(
      `The folder of BROWSERD_BLOBS cannot be used: ${(error as Error).message}. Mount it, and let the user of the service write there.`,
      { cause: error },
    );
  }
}

async function openBucket(config: BlobsConfig, address: string, folder: string): Promise<OpenBlobs> {
  const place = readS3Place(address);
  const credentials = credentialsIn(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const blobs = openS3Blobs({ place, credentials, folder, reserveBytes: config.storageReserve });
  return {
    blobs,
    shared: true,
    diskBytes: null,
    async [Symbol.asyncDispose]() {
      blobs[Symbol.dispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function credentialsIn({
  s3AccessKeyId: accessKeyId,
  s3SecretAccessKey: secretAccessKey,
  s3SessionToken,
}: BlobsConfig): () => Credentials {
  if (accessKeyId === null || secretAccessKey === null)
    throw new SetupError(
      'BROWSERD_BLOBS names a bucket: give the keys to it with BROWSERD_S3_ACCESS_KEY_ID and BROWSERD_S3_SECRET_ACCESS_KEY.',
    );
  return () => ({ accessKeyId, secretAccessKey, sessionToken: s3SessionToken ?? undefined });
}

/** Puts, reads and removes a few bytes. */
async function prove(blobs: Blobs): Promise<void> {
  const id = newId('check');
  const sent = Buffer.from(id);
  await blobs.put(id, piecesOf(sent), sent.length);
  try {
    const opened = await blobs.open(id);
    const got = opened && (await buffer(opened));
    if (!got?.equals(sent))
      throw new Error(
        'What was put there does not come back as it was. Check what stands before the storage.',
      );
  } finally {
    await blobs.remove(id);
  }
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
