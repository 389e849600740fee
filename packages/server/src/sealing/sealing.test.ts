import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addKeyToFile, isSealed, keepFirstKeyOfFile, keyFileIn, openSealing } from './sealing.ts';

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'browserd-sealing-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};
const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const withKeys = (...bytes: number[]) => openSealing({ secretKey: bytes.map(key), dataDir: folder() });

describe('a sealed value', () => {
  test.each([0, 1, 1000, 300_000])('of %d bytes opens again, by either way', async (length) => {
    const sealing = withKeys(1);
    const plain = Buffer.alloc(length, 'abc');
    const sealed = [sealing.seal(plain, 'x'), await sealing.sealLarge(plain, 'x')];
    for (const each of sealed) {
      expect(sealing.unseal(each, 'x').equals(plain)).toBe(true);
      expect((await sealing.unsealLarge(each, 'x')).equals(plain)).toBe(true);
      if (length > 2) expect(each.includes('abcabc')).toBe(false);
    }
    expect(sealed[0]!.equals(sealed[1]!)).toBe(false);
  });

  test('opens only as what it was sealed about', async () => {
    const sealing = withKeys(1);
    const sealed = sealing.seal(Buffer.from('state'), 'checkpoint browser_1');
    expect(() => sealing.unseal(sealed, 'checkpoint browser_2')).toThrow(
      /checkpoint browser_2.*does not open/,
    );
    const large = await sealing.sealLarge(Buffer.alloc(200_000), 'one');
    await expect(sealing.unsealLarge(large, 'two')).rejects.toThrow(/does not open/);
  });

  test('with any byte changed does not open', () => {
    const sealing = withKeys(1);
    const sealed = sealing.seal(Buffer.from('state'), 'x');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = changed[at]! ^ 1;
      expect(() => sealing.unseal(changed, 'x')).toThrow(/STORE|does not open|not sealed|does not have/);
    }
  });

  test('that is cut short, or never was one, is told apart', () => {
    const sealing = withKeys(1);
    expect(isSealed(Buffer.from('{"cookies":[]}'))).toBe(false);
    expect(() => sealing.unseal(sealing.seal(Buffer.from('a'), 'x').subarray(0, 40), 'x')).toThrow(
      /not sealed/,
    );
  });
});

describe('keys', () => {
  test('the first seals and all of them open', () => {
    const [old, both, fresh] = [withKeys(1), withKeys(2, 1), withKeys(2)];
    const before = old.seal(Buffer.from('before'), 'x');
    const after = both.seal(Buffer.from('after'), 'x');
    expect(both.unseal(before, 'x').toString()).toBe('before');
    expect(fresh.unseal(after, 'x').toString()).toBe('after');
    expect(() => fresh.unseal(before, 'x')).toThrow(`sealed with the key ${old.keyId}`);
    expect(both.keyIds).toEqual([fresh.keyId, old.keyId]);
  });

  test('may be written as base64, base64url or hex', () => {
    const bytes = Buffer.alloc(32, 0xfb);
    const ids = (['base64', 'base64url', 'hex'] as const).map(
      (form) => openSealing({ secretKey: [bytes.toString(form)], dataDir: folder() }).keyId,
    );
    expect(new Set(ids).size).toBe(1);
    expect(() => openSealing({ secretKey: ['too short'], dataDir: folder() })).toThrow(
      /openssl rand -base64 32/,
    );
  });

  test('a key file is made when the first value is sealed, for its owner alone', () => {
    const dataDir = folder();
    const file = keyFileIn(dataDir);
    const [one, two] = [openSealing({ secretKey: null, dataDir }), openSealing({ secretKey: null, dataDir })];
    expect(() => statSync(file)).toThrow();
    const sealed = one.seal(Buffer.from('a'), 'x');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(two.unseal(sealed, 'x').toString()).toBe('a');
    expect(two.keyId).toBe(one.keyId);
    chmodSync(file, 0o644);
    expect(openSealing({ secretKey: null, dataDir }).keyId).toBe(one.keyId);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of the file open beside those of the operator, who can move from one to the other', () => {
    const dataDir = folder();
    const sealed = openSealing({ secretKey: null, dataDir }).seal(Buffer.from('a'), 'x');
    const moved = openSealing({ secretKey: [key(7)], dataDir });
    expect(moved.unseal(sealed, 'x').toString()).toBe('a');
    expect(moved.keyId).toBe(withKeys(7).keyId);
  });

  test('a new key of the file comes first, until it is alone', () => {
    const dataDir = folder();
    const old = openSealing({ secretKey: null, dataDir }).keyId;
    const fresh = addKeyToFile(dataDir);
    expect(openSealing({ secretKey: null, dataDir }).keyIds).toEqual([fresh, old]);
    expect(keepFirstKeyOfFile(dataDir)).toBe(1);
    expect(openSealing({ secretKey: null, dataDir }).keyIds).toEqual([fresh]);
    expect(statSync(keyFileIn(dataDir)).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['\n', /empty/],
    ['hello\n', /Line 1 .* is no key/],
  ])('a key file with %j is refused, and never replaced', (text, words) => {
    const dataDir = folder();
    writeFileSync(keyFileIn(dataDir), text);
    expect(() => openSealing({ secretKey: null, dataDir })).toThrow(words);
    expect(readFileSync(keyFileIn(dataDir), 'utf8')).toBe(text);
  });
});

describe('a sealed archive', () => {
  const through = (chunks: Buffer[], stream: NodeJS.ReadWriteStream): Promise<Buffer> =>
    buffer(
      Readable.from(chunks)
        .on('error', () => undefined)
        .compose(stream as never),
    );
  const inChunks = (bytes: Buffer, size: number): Buffer[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
  const numbered = (length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32BE(at, at);
    return bytes;
  };
  const frame = 4 + 256 * 1024 + 16;
  const head = 84;

  test.each([
    [0, 10],
    [1, 1],
    [256 * 1024, 64 * 1024],
    [1_000_000, 65_536],
    [700_000, 700_000],
  ])('of %d bytes in chunks of %d opens again', async (length, size) => {
    const sealing = withKeys(1);
    const plain = numbered(length);
    const sealed = await through(inChunks(plain, size), sealing.sealing('profile'));
    expect(sealed.length).toBeGreaterThan(length);
    for (const chunk of [sealed.length, 1000, 7919])
      expect((await through(inChunks(sealed, chunk), sealing.unsealing('profile'))).equals(plain)).toBe(true);
    if (length > 100) expect(sealed.includes(plain.subarray(0, 64))).toBe(false);
  });

  test('that was cut, extended, reordered, changed or moved does not open', async () => {
    const sealing = withKeys(1);
    const sealed = await through([numbered(800_000)], sealing.sealing('a'));
    const swapped = Buffer.concat([
      sealed.subarray(0, head),
      sealed.subarray(head + frame, head + 2 * frame),
      sealed.subarray(head, head + frame),
      sealed.subarray(head + 2 * frame),
    ]);
    const flipped = Buffer.from(sealed);
    flipped[500_000] = flipped[500_000]! ^ 1;
    const bad = {
      'cut within its head': sealed.subarray(0, 50),
      'cut after its head': sealed.subarray(0, head),
      'cut at the end of a frame': sealed.subarray(0, head + frame),
      'without its last byte': sealed.subarray(0, -1),
      'with a frame left out': Buffer.concat([sealed.subarray(0, head), sealed.subarray(head + frame)]),
      'with a byte more': Buffer.concat([sealed, Buffer.from('x')]),
      'twice in a row': Buffer.concat([sealed, sealed]),
      swapped,
      flipped,
    };
    for (const [name, bytes] of Object.entries(bad))
      await expect(through(inChunks(bytes, 65_536), sealing.unsealing('a')), name).rejects.toThrow(
        /does not open|not sealed/,
      );
    await expect(through([sealed], sealing.unsealing('b'))).rejects.toThrow(/does not open/);
  });

  test('is taken over by a new key without being written anew', async () => {
    const [old, both, fresh] = [withKeys(1), withKeys(2, 1), withKeys(2)];
    const plain = numbered(300_000);
    const path = join(folder(), 'archive');
    const sealed = await through([plain], old.sealing('a'));
    writeFileSync(path, sealed);
    await expect(fresh.rewrapArchive(path, 'a')).rejects.toThrow(old.keyId);
    expect(await both.rewrapArchive(path, 'a')).toBe(true);
    expect(await both.rewrapArchive(path, 'a')).toBe(false);
    const now = readFileSync(path);
    expect(now.subarray(head).equals(sealed.subarray(head))).toBe(true);
    expect((await through([now], fresh.unsealing('a'))).equals(plain)).toBe(true);
  });
});
