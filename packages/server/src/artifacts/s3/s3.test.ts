import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { filesBelow } from '../../../tests/support/leaks.ts';
import type { Trouble } from '../../../tests/support/s3-server.ts';
import { newId } from '../../kit/id.ts';
import { piecesOf } from '../artifacts.fixture.ts';
import { freshS3, openAt } from '../blobs.fixture.ts';

const mib = (count: number): number => count * 1024 ** 2;
const busy: Trouble = { status: 503, code: 'SlowDown' };
/** The first requests that fit meet trouble, one after the other. */
const first = (fits: RegExp, ...troubles: Trouble[]) => {
  const waiting = [...troubles];
  return (request: string) => (fits.test(request) ? waiting.shift() : undefined);
};

test('a request that fails for a moment is made again', async () => {
  const s3 = await freshS3();
  const { blobs } = openAt(s3);
  const id = newId('file');
  s3.disturb(first(/^PUT/, busy, 'closed', 'closed after doing it'));
  await blobs.put(id, piecesOf([10]), 10);
  s3.disturb(first(/^GET/, busy, 'closed'));
  expect(await buffer((await blobs.open(id))!)).toHaveLength(10);
  s3.disturb(first(/^DELETE/, 'closed after doing it', busy));
  await blobs.remove(id);
  expect(s3.objects.size).toBe(0);
});

test('a large body arrives although parts fail, and answers are lost', async () => {
  const s3 = await freshS3();
  const { blobs, folder } = openAt(s3);
  const id = newId('file');
  s3.disturb(
    first(
      /partNumber=[12]|POST .*uploadId=/,
      busy,
      'closed',
      'closed after doing it',
      'closed after doing it',
    ),
  );
  await blobs.put(id, piecesOf([mib(11)]), 0);
  expect([...s3.objects.values()].map(({ length }) => length)).toEqual([mib(11)]);
  expect(s3.begun()).toEqual([]);
  expect(await filesBelow(folder)).toEqual([]);
});

test('a large body whose parts do not get through is given up, there and here', async () => {
  const s3 = await freshS3();
  const { blobs, folder } = openAt(s3);
  s3.disturb((request) =>
    /partNumber=2/.test(request) ? { status: 400, code: 'InvalidRequest' } : undefined,
  );
  await expect(blobs.put(newId('file'), piecesOf([mib(11)]), 0)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('400 InvalidRequest'),
  });
  s3.disturb((request) =>
    /POST .*uploadId=/.test(request) ? { status: 200, code: 'InvalidPart' } : undefined,
  );
  await expect(blobs.put(newId('file'), piecesOf([mib(6)]), 0)).rejects.toThrow('InvalidPart');
  expect([s3.begun(), [...s3.objects.keys()], await filesBelow(folder)]).toEqual([[], [], []]);
});

test('parts that a killed service left are given up with the bytes', async () => {
  const s3 = await freshS3();
  const killed = openAt(s3, { patienceMs: 0 });
  const id = newId('file');
  // as if it was gone: nothing that would tidy up gets through
  s3.disturb((request) => (/partNumber=2|^DELETE/.test(request) ? 'closed' : undefined));
  await expect(killed.blobs.put(id, piecesOf([mib(6)]), 0)).rejects.toThrow();
  expect(s3.begun()).toHaveLength(1);
  s3.disturb(undefined);
  await openAt(s3).blobs.clear(id);
  expect(s3.begun()).toEqual([]);
});

test('a server that cannot list what was begun removes bytes all the same', async () => {
  const s3 = await freshS3();
  const { blobs } = openAt(s3);
  const id = newId('file');
  await blobs.put(id, piecesOf([5]), 5);
  s3.disturb((request) =>
    request.includes('uploads') ? { status: 405, code: 'MethodNotAllowed' } : undefined,
  );
  await blobs.clear(id);
  expect(s3.objects.size).toBe(0);
});

test('reading goes on where a connection broke', async () => {
  const s3 = await freshS3();
  const { blobs } = openAt(s3);
  const id = newId('file');
  await blobs.put(id, piecesOf([mib(2)]), 0);
  const [kept] = s3.objects.values();
  s3.disturb(first(/^GET/, { cutAfter: mib(1) }, busy, { cutAfter: 7 }));
  expect(await buffer((await blobs.open(id))!)).toEqual(kept);
  s3.disturb(first(/^GET/, { cutAfter: 9 }));
  expect(await buffer((await blobs.open(id, { start: 100, end: 199 }))!)).toEqual(kept?.subarray(100, 200));
  s3.disturb((request) => (request.startsWith('GET') ? { cutAfter: 0 } : undefined));
  await expect(buffer((await blobs.open(id))!)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('storage that stays away is told as such, and then tried once at a time', async () => {
  const s3 = await freshS3();
  const { blobs } = openAt(s3, { patienceMs: 300, awayMs: 600_000 });
  s3.disturb(() => busy);
  await expect(blobs.put(newId('file'), piecesOf([5]), 5)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    status: 503,
    nextStep: 'retry',
    message: expect.stringContaining('503 SlowDown'),
  });
  const before = s3.requests.length;
  await expect(blobs.remove(newId('file'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(s3.requests.length).toBe(before + 1);
  s3.disturb(undefined);
  await blobs.remove(newId('file'));
});

test('a server that is silent is not waited for', async () => {
  const s3 = await freshS3();
  const { blobs } = openAt(s3, { patienceMs: 0, silentMs: 100 });
  s3.disturb(() => 'silent');
  await expect(blobs.open(newId('file'))).rejects.toThrow('does not answer');
});

test('bytes that are removed while they are changed do not come back', async () => {
  const s3 = await freshS3();
  const { blobs, folder } = openAt(s3);
  for (const size of [5, mib(6)]) {
    const id = newId('version');
    await blobs.put(id, piecesOf([size]), 0);
    const changed = await blobs.rewrite(id, async () => {
      await blobs.remove(id);
      return true;
    });
    expect(changed).toBe(false);
  }
  expect([s3.objects.size, s3.begun(), await filesBelow(folder)]).toEqual([0, [], []]);
});

test('a bucket without room is told as such', async () => {
  const s3 = await freshS3();
  const { blobs } = openAt(s3);
  s3.disturb(() => ({ status: 507, code: 'InsufficientStorage' }));
  await expect(blobs.put(newId('file'), piecesOf([5]), 5)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
});

test('a session token goes with every request', async () => {
  const s3 = await freshS3({ sessionToken: 'lent' });
  const id = newId('file');
  await openAt(s3).blobs.put(id, piecesOf([mib(6)]), 0);
  const { BROWSERD_S3_SESSION_TOKEN: _, ...without } = s3.settings();
  const settings = { ...without, BROWSERD_S3_SESSION_TOKEN: 'over' };
  await expect(openAt(s3, { settings }).blobs.open(id)).rejects.toThrow('BROWSERD_S3_SESSION_TOKEN');
});

test('a prefix keeps the bytes of two services apart, down to the layout of a disk', async () => {
  const s3 = await freshS3();
  const id = newId('file');
  const settings = s3.settings('some/where');
  await openAt(s3, { settings }).blobs.put(id, piecesOf([5]), 5);
  expect([...s3.objects.keys()]).toEqual([`some/where/${id.slice(-2)}/${id}`]);
  expect(await openAt(s3).blobs.open(id)).toBeUndefined();
});
