import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesBelow } from '../../tests/support/leaks.ts';
import type { S3Server } from '../../tests/support/s3-server.ts';
import { newId } from '../kit/id.ts';
import { SetupError } from '../kit/setup-error.ts';
import { piecesOf } from './artifacts.fixture.ts';
import { freshS3, newFolder } from './blobs.fixture.ts';
import { openDiskBlobs } from './disk-blobs.ts';
import { type BlobsConfig, blobsEndpoint, checkBlobs, openBlobs } from './open-blobs.ts';

const local = (): BlobsConfig => ({
  dataDir: newFolder(),
  storageReserve: 0,
  blobs: null,
  s3AccessKeyId: null,
  s3SecretAccessKey: null,
  s3SessionToken: null,
});
const inBucketOf = (s3: S3Server): BlobsConfig => {
  const settings = s3.settings();
  return {
    ...local(),
    blobs: settings.BROWSERD_BLOBS ?? null,
    s3AccessKeyId: settings.BROWSERD_S3_ACCESS_KEY_ID ?? null,
    s3SecretAccessKey: settings.BROWSERD_S3_SECRET_ACCESS_KEY ?? null,
  };
};
const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

test('without a setting bytes lie in the data folder, which no other node sees', async () => {
  const config = local();
  await using opened = await openBlobs(config);
  expect(opened).toMatchObject({ shared: false, diskBytes: expect.any(Number) });
  const id = newId('file');
  await opened.blobs.put(id, piecesOf([5]), 5);
  expect(await filesBelow(join(config.dataDir, 'blobs'))).toEqual([id]);
});

test('with a folder or a bucket they lie there, and what was on the disk before is found and removed', async () => {
  const s3 = await freshS3();
  for (const config of [{ ...local(), blobs: newFolder() }, inBucketOf(s3)]) {
    const [before, after] = [newId('file'), newId('file')];
    const disk = await openDiskBlobs({ folder: join(config.dataDir, 'blobs'), reserveBytes: 0 });
    await disk.put(before, piecesOf([7]), 7);
    await using opened = await openBlobs(config);
    expect(opened.shared).toBe(true);
    await opened.blobs.put(after, piecesOf([8]), 8);
    expect(await filesBelow(config.dataDir)).toEqual([before]);
    expect(await buffer((await opened.blobs.open(before))!)).toHaveLength(7);
    await using borrowed = await opened.blobs.borrow(before);
    expect(borrowed).toBeDefined();
    expect((await Array.fromAsync(opened.blobs.ids('file_'))).toSorted()).toEqual([before, after].toSorted());
    for (const id of [before, after]) await opened.blobs.remove(id);
    expect(await Array.fromAsync(opened.blobs.ids('file_'))).toEqual([]);
  }
  expect(s3.objects.size).toBe(0);
});

test('what a killed service had on the way to a bucket is gone at the next start', async () => {
  const config = inBucketOf(await freshS3());
  mkdirSync(join(config.dataDir, 'on-the-way'));
  writeFileSync(join(config.dataDir, 'on-the-way', 'file_1'), 'half');
  await using _opened = await openBlobs(config);
  expect(await filesBelow(config.dataDir)).toEqual([]);
});

test('a check leaves nothing behind, and nothing of a service that runs is touched', async () => {
  const s3 = await freshS3();
  const config = inBucketOf(s3);
  mkdirSync(join(config.dataDir, 'on-the-way'));
  writeFileSync(join(config.dataDir, 'on-the-way', 'file_1'), 'on its way');
  await checkBlobs(config);
  expect(s3.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE']);
  expect([s3.objects.size, await filesBelow(config.dataDir)]).toEqual([0, ['file_1']]);
});

test('the server that an operator named is told, so that browsers can be kept from it', () => {
  expect(blobsEndpoint({ blobs: 's3://kept?endpoint=http://10.0.0.5:9000' })).toBe('http://10.0.0.5:9000');
  expect(blobsEndpoint({ blobs: 's3://kept?region=eu-central-1' })).toBeUndefined();
  expect(blobsEndpoint({ blobs: '/mnt/shared' })).toBeUndefined();
  expect(blobsEndpoint({ blobs: null })).toBeUndefined();
});

describe('a start with storage that cannot be used is refused with what to set:', () => {
  const refusal = async (config: BlobsConfig): Promise<string> => {
    const error = await openBlobs(config).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(SetupError);
    const { message } = error as Error;
    // neither a key nor its secret
    for (const secret of [config.s3AccessKeyId, config.s3SecretAccessKey])
      if (secret) expect(message).not.toContain(secret);
    return message;
  };

  test('keys that are missing, unknown or wrong', async () => {
    const config = inBucketOf(await freshS3());
    const { s3AccessKeyId: _, ...withoutKey } = config;
    expect(await refusal({ ...withoutKey, s3AccessKeyId: null })).toContain('BROWSERD_S3_ACCESS_KEY_ID');
    expect(await refusal({ ...config, s3AccessKeyId: 'AKIDOFNOBODY' })).toContain(
      'BROWSERD_S3_ACCESS_KEY_ID',
    );
    expect(await refusal({ ...config, s3SecretAccessKey: 'of-another' })).toContain(
      'BROWSERD_S3_SECRET_ACCESS_KEY',
    );
  });

  test('a bucket that is not there, or in another region', async () => {
    const config = inBucketOf(await freshS3({ region: 'eu-central-1' }));
    const blobs = config.blobs ?? '';
    expect(await refusal({ ...config, blobs: blobs.replace('kept', 'other') })).toContain('no such bucket');
    expect(await refusal({ ...config, blobs: blobs.replace('eu-central-1', 'us-east-2') })).toContain(
      '`region=eu-central-1`',
    );
  });

  test.each([['PUT'], ['GET'], ['DELETE']])('keys that may not %s', async (method) => {
    const s3 = await freshS3();
    s3.allowOnly(['PUT', 'GET', 'DELETE'].filter((each) => each !== method));
    expect(await refusal(inBucketOf(s3))).toContain('s3:DeleteObject');
  });

  test('a clock that is wrong', async () => {
    const s3 = await freshS3();
    s3.skewMs = 3_600_000;
    expect(await refusal(inBucketOf(s3))).toMatch(/36\d\d seconds apart.*NTP/);
  });

  test('a server that is no S3, speaks TLS or does not, or drops what it was given', async () => {
    const s3 = await freshS3();
    const config = inBucketOf(s3);
    const https = config.blobs?.replace('http%3A', 'https%3A') ?? null;
    expect(await refusal({ ...config, blobs: https })).toContain('http or https?');
    const other = createServer((socket) => void socket.end('220 ready\r\n'));
    onTestFinished(() => void other.close());
    const endpoint = encodeURIComponent(`http://127.0.0.1:${await portOf(other)}`);
    expect(await refusal({ ...config, blobs: `s3://kept?endpoint=${endpoint}` })).toContain(
      'does not speak HTTP',
    );
    s3.disturb((request) => (request.startsWith('PUT') ? { status: 200, code: 'Fine' } : undefined));
    expect(await refusal(config)).toContain('does not come back');
  });

  test('a folder that is not there for the service', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    expect(await refusal({ ...local(), blobs: join(file, 'below') })).toContain('Mount it');
  });
});
