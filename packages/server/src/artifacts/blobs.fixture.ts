import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { filesBelow } from '../../tests/support/leaks.ts';
import { type S3Server, startS3 } from '../../tests/support/s3-server.ts';
import type { Blobs } from './blobs.ts';
import { openDiskBlobs } from './disk-blobs.ts';
import { openS3Blobs, readS3Place, type S3BlobsOptions } from './s3/s3.ts';

export interface Storage {
  /** As it is opened by one node, and by another. */
  one: Blobs;
  other: Blobs;
  /** Everything that is there, also what is unfinished, and what lies on the machines. */
  left(): Promise<string[]>;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-blobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function onDisk(folder: string): Promise<Storage> {
  const open = () => openDiskBlobs({ folder, reserveBytes: 0 });
  return { one: await open(), other: await open(), left: () => filesBelow(folder) };
}

/** At a server of the tests; within a test. */
export function openAt(
  s3: S3Server,
  options: Partial<S3BlobsOptions> & { settings?: Record<string, string> } = {},
): { blobs: Blobs; folder: string } {
  const settings = { ...s3.settings(), ...options.settings };
  const folder = options.folder ?? newFolder();
  const blobs = openS3Blobs({
    place: readS3Place(settings.BROWSERD_BLOBS ?? ''),
    credentials: () => ({
      accessKeyId: settings.BROWSERD_S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: settings.BROWSERD_S3_SECRET_ACCESS_KEY ?? '',
      sessionToken: settings.BROWSERD_S3_SESSION_TOKEN,
    }),
    folder,
    reserveBytes: 0,
    partBytes: 5 * 1024 ** 2,
    ...options,
  });
  onTestFinished(() => blobs[Symbol.dispose]());
  return { blobs, folder };
}

export async function freshS3(options: Parameters<typeof startS3>[0] = {}): Promise<S3Server> {
  const s3 = await startS3(options);
  onTestFinished(() => s3[Symbol.asyncDispose]());
  return s3;
}

async function inBucket(): Promise<Storage> {
  const s3 = await freshS3();
  const [one, other] = [openAt(s3), openAt(s3)];
  return {
    one: one.blobs,
    other: other.blobs,
    left: async () => [
      ...[...s3.objects.keys(), ...s3.begun()].map((key) => key.split('/').at(-1) ?? ''),
      ...(await filesBelow(one.folder)),
      ...(await filesBelow(other.folder)),
    ],
  };
}

/** A real server, which must not be used by anything else: S3_URL has what BROWSERD_BLOBS would have. */
async function atServer(url: string): Promise<Storage> {
  const folder = newFolder();
  const open = (name: string) => {
    mkdirSync(join(folder, name));
    const blobs = openS3Blobs({
      place: readS3Place(url),
      credentials: () => ({
        accessKeyId: process.env.S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: process.env.S3_SECRET_ACCESS_KEY ?? '',
      }),
      folder: join(folder, name),
      reserveBytes: 0,
      partBytes: 5 * 1024 ** 2,
    });
    onTestFinished(() => blobs[Symbol.dispose]());
    return blobs;
  };
  const one = open('one');
  const left = async () => [...(await Array.fromAsync(one.ids(''))), ...(await filesBelow(folder))];
  onTestFinished(async () => {
    for await (const id of one.ids('')) await one.clear(id);
  });
  return { one, other: open('other'), left };
}

/** Every storage that the service can keep its bytes in. */
export const storages: Record<string, () => Promise<Storage>> = {
  'the disk of a node': () => onDisk(join(newFolder(), 'blobs')),
  'a folder that nodes share': () => onDisk(newFolder()),
  'a bucket': inBucket,
  ...(process.env.S3_URL && { 'a bucket of the server of S3_URL': () => atServer(process.env.S3_URL ?? '') }),
};
