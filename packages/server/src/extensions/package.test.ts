import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionZip, type ZipFile, zipOf } from '../../tests/support/extensions.ts';
import { chromiumIdOf } from './manifest.ts';
import { packageLimits, readPackage, unpackPackage } from './package.ts';
import { allowedPermissions } from './permissions.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browserd-extensions-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(bytes: Uint8Array): Promise<string> {
  const path = join(folder, randomBytes(8).toString('hex'));
  await writeFile(path, bytes);
  return path;
}
const read = async (bytes: Uint8Array) => readPackage(await written(bytes));

const manifest: ZipFile = {
  path: 'manifest.json',
  content: JSON.stringify({ manifest_version: 3, name: 'Test', version: '1.0' }),
};
const beside = (file: ZipFile) => zipOf([manifest, file]);
const withManifest = (fields: object) => extensionZip({ manifest: fields });

/** A CRX as the store makes it: two proofs, of which one is its own. */
function crxOf(zip: Buffer, key: Buffer): Buffer {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
  const field = (number: number, bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
  const proof = (of: Buffer) => Buffer.concat([field(1, of), field(2, randomBytes(256))]);
  const crxId = createHash('sha256').update(key).digest().subarray(0, 16);
  const head = Buffer.concat([
    field(2, proof(randomBytes(294))),
    field(2, proof(key)),
    field(10_000, field(1, crxId)),
  ]);
  const start = Buffer.alloc(12);
  start.write('Cr24', 'latin1');
  start.writeUInt32LE(3, 4);
  start.writeUInt32LE(head.length, 8);
  return Buffer.concat([start, head, zip]);
}

describe('a package', () => {
  test('tells its name, version and what it asks for', async () => {
    const fields = {
      name: '__MSG_appName__',
      default_locale: 'de',
      description: 'Does things.',
      permissions: ['storage'],
      optional_permissions: ['history'],
      host_permissions: ['https://*.example.com/*'],
      content_scripts: [{ matches: ['https://a.example/*', 'https://*.example.com/*'], js: ['a.js'] }],
      action: { default_popup: 'popup.html' },
    };
    const files = { '_locales/de/messages.json': JSON.stringify({ appname: { message: 'Preisagent' } }) };
    expect(await read(extensionZip({ manifest: fields, files }))).toEqual({
      name: 'Preisagent',
      version: '1.0',
      publicKey: undefined,
      manifest: {
        manifestVersion: 3,
        description: 'Does things.',
        permissions: ['storage'],
        optionalPermissions: ['history'],
        hostPermissions: ['https://*.example.com/*', 'https://a.example/*'],
        optionalHostPermissions: [],
        popup: 'popup.html',
      },
    });
  });

  test('that is a CRX has the key that its id in the store comes of', async () => {
    const key = randomBytes(294);
    const { publicKey } = await read(crxOf(extensionZip(), key));
    expect(publicKey?.equals(key)).toBe(true);
  });

  test('may ask for every permission that is allowed', async () => {
    const { manifest: shown } = await read(withManifest({ permissions: allowedPermissions }));
    expect(shown.permissions).toEqual(allowedPermissions);
  });

  test('is unpacked with its key, without what the store added and where it would be updated from', async () => {
    const files = { 'deep/er/a.js': 'a', '_metadata/verified_contents.json': '[]' };
    const path = await written(extensionZip({ manifest: { update_url: 'https://example.com/' }, files }));
    const to = join(folder, 'unpacked');
    await mkdir(to);
    await unpackPackage(path, to, { publicKey: 'a2V5', owner: undefined });
    const found = await readdir(to, { recursive: true });
    expect(found.sort()).toEqual(['deep', 'deep/er', 'deep/er/a.js', 'manifest.json']);
    expect(JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8'))).toEqual({
      manifest_version: 3,
      name: 'Test',
      version: '1.0',
      key: 'a2V5',
      incognito: 'not_allowed',
    });
  });
});

describe('refused', () => {
  const file = (path: string, lie?: ZipFile['lie'], content = 'x'): ZipFile => ({
    path,
    content,
    ...(lie && { lie }),
  });
  const big = 'x'.repeat(100_000);
  test.each<[string, Buffer, RegExp]>([
    ['nothing', Buffer.alloc(0), /empty/],
    ['a text', Buffer.from('this is no archive, whatever its name says'), /no ZIP file and no CRX/],
    ['half of a ZIP', extensionZip().subarray(0, 60), /can be read/],
    [
      'a ZIP without its first half',
      Buffer.concat([Buffer.from('PK'), extensionZip().subarray(60)]),
      /damaged|can be read/,
    ],
    ['an old CRX', Buffer.concat([Buffer.from('Cr24\x02\0\0\0\0\0\0\0'), extensionZip()]), /version 2/],
    [
      'a CRX with a head that never ends',
      Buffer.concat([Buffer.from('Cr24\x03\0\0\0\xff\xff\xff\xff', 'latin1'), extensionZip()]),
      /damaged/,
    ],
    ['a path upwards', beside(file('../../evil.js')), /path/],
    ['a path upwards in the middle', beside(file('a/../../evil.js')), /path/],
    ['a path from the root', beside(file('/etc/evil.js')), /path/],
    ['a path of another system', beside(file('..\\evil.js')), /path/],
    ['a drive', beside(file('C:evil.js')), /path/],
    ['a name with a zero', beside(file('evil\0.js')), /path/],
    ['a name that is no text', beside(file('evil\xff.js')), /UTF-8/],
    ['a link', beside(file('link', { mode: 0o120777 }, '/etc/passwd')), /links are not taken/],
    ['a device', beside(file('null', { mode: 0o020666 })), /neither a file nor a folder/],
    ['a file twice', zipOf([manifest, file('a.js'), file('A.js')]), /twice/],
    ['a file that is a folder', zipOf([manifest, file('a'), file('a/b.js')]), /file and a folder/],
    ['an encrypted file', beside(file('a.js', { flags: 1 })), /encrypted/],
    ['another compression', beside(file('a.js', { method: 14 })), /method 14/],
    ['a file beyond the end', beside(file('a.js', { at: 1_000_000 })), /outside/],
    ['a file that unpacks to more than it says', beside(file('a.js', { size: 10 }, big)), /damaged/],
    ['a file that unpacks to less than it says', beside(file('a.js', { size: 200_000 }, big)), /damaged/],
    [
      'more bytes than allowed',
      beside(file('a.js', { size: packageLimits.mostBytes + 1 })),
      /bytes; \d+ are allowed/,
    ],
    [
      'more files than allowed',
      zipOf([manifest, ...Array.from({ length: packageLimits.mostFiles }, (_, n) => file(`${n}`))]),
      /entries; 5000 are allowed/,
    ],
    ['a package without a manifest', zipOf([file('a.js')]), /no manifest\.json/],
    [
      'a folder instead of its contents',
      zipOf([{ ...manifest, path: 'my-extension/manifest.json' }]),
      /Pack the contents/,
    ],
    ['a manifest that is no JSON', zipOf([{ ...manifest, content: '{ // comment\n}' }]), /no JSON/],
    ['a manifest that is a list', zipOf([{ ...manifest, content: '[]' }]), /no JSON object/],
    ['manifest version 2', withManifest({ manifest_version: 2 }), /manifest version 2.*Manifest V3/],
    ['no manifest version', withManifest({ manifest_version: undefined }), /Manifest V3/],
    ['a theme', withManifest({ theme: {} }), /`theme`/],
    ['an app', withManifest({ app: {} }), /`app`/],
    ['no version', withManifest({ version: 'latest' }), /`version`/],
    ['no name', withManifest({ name: '' }), /`name`/],
    [
      'a name that no language has',
      withManifest({ name: '__MSG_x__', default_locale: 'en' }),
      /no message x/,
    ],
    ['permissions that are no list', withManifest({ permissions: { proxy: true } }), /no list of texts/],
    [
      'permissions that are no texts',
      withManifest({ permissions: [{ fileSystem: ['write'] }] }),
      /no list of texts/,
    ],
    ['a key that is none', withManifest({ key: '!' }), /no public key/],
  ])('%s', async (_, bytes, reason) => {
    const refused = read(bytes);
    await expect(refused).rejects.toMatchObject({ code: 'EXTENSION_INVALID' });
    await expect(refused).rejects.toThrow(reason);
  });

  test.each([
    ...['proxy', 'debugger', 'nativeMessaging', 'privacy', 'downloads', 'management', 'contentSettings'],
    ...[
      'desktopCapture',
      'userScripts',
      'webRequestBlocking',
      'dns',
      'a permission of next year',
      'toString',
    ],
  ])('the permission %s, also as an optional one, by its name', async (permission) => {
    for (const field of ['permissions', 'optional_permissions'])
      await expect(read(withManifest({ [field]: ['storage', permission] }))).rejects.toMatchObject({
        code: 'EXTENSION_INVALID',
        message: expect.stringContaining(`\`${permission}\``),
        details: { permissions: [{ permission, reason: expect.any(String) }] },
      });
  });
});

test('ids are those that Chromium makes', () => {
  const key = createHash('sha256').update('hello').digest();
  // What Chromium 150 answered when it loaded an extension with this key.
  expect(chromiumIdOf(key)).toBe('jfjfmjnpjaahfbeiolagigadgfnpddfi');
});
