import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { extensionZip, uploadExtension, zipOf } from '../support/extensions.ts';
import { makeKey } from '../support/keys.ts';
import { filesBelow } from '../support/leaks.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let api: Api;
/** Keys of the role `member`: of the same project, and of another. */
let member: Api;
let stranger: Api;

beforeAll(async () => {
  server = await startServer();
  api = server.api;
  const made = await api.call('POST', '/v1/keys', { body: { name: 'member', role: 'member' } });
  member = api.as(made.body.key);
  stranger = api.as(await makeKey(server.dataDir, { project: 'elsewhere' }));
});
afterAll(() => server[Symbol.asyncDispose]());

const bytesKept = async () =>
  (await filesBelow(join(server.dataDir, 'blobs'))).filter((name) => name.includes('extension_'));

describe('an extension', () => {
  test('is uploaded, listed, described and deleted', async () => {
    const zip = extensionZip({
      manifest: { permissions: ['storage'], host_permissions: ['https://a.example/*'] },
    });
    const created = await uploadExtension(api, zip);
    const { body: extension } = created;
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/v1/extensions/${extension.id}`);
    expect(extension).toMatchObject({
      id: expect.stringMatching(/^extension_/),
      name: 'Test',
      version: '1.0',
      manifestVersion: 3,
      chromiumId: expect.stringMatching(/^[a-p]{32}$/),
      permissions: ['storage'],
      hostPermissions: ['https://a.example/*'],
      size: zip.length,
      sha256: createHash('sha256').update(zip).digest('hex'),
    });
    expect((await api.call('GET', `/v1/extensions/${extension.id}`)).body).toEqual(extension);
    expect((await api.call('GET', '/v1/extensions')).body.items).toEqual([extension]);
    const path = `/v1/extensions/${extension.id}`;
    expect(await api.call('DELETE', path)).toMatchObject({ status: 200, body: { deleted: true } });
    for (const method of ['GET', 'DELETE'])
      expect(await api.call(method, path)).toMatchObject({
        status: 404,
        body: { error: { code: 'EXTENSION_NOT_FOUND' } },
      });
    expect(await bytesKept()).toEqual([]);
  });

  test('may be sent as a form', async () => {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(extensionZip())], 'extension.zip'));
    const { status, body } = await uploadExtension(api, form);
    expect(status).toBe(201);
    await api.call('DELETE', `/v1/extensions/${body.id}`);
  });

  test('has the id that its key gives it, in every upload', async () => {
    const manifest = { key: randomBytes(294).toString('base64') };
    const [first, second] = [
      (await uploadExtension(api, extensionZip({ manifest }))).body,
      (await uploadExtension(api, extensionZip({ manifest: { ...manifest, version: '1.1' } }))).body,
    ];
    expect(second.chromiumId).toBe(first.chromiumId);
    // One browser cannot have both.
    expect(await api.create({ extensions: [first.id, second.id] })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('the same key') } },
    });
    for (const { id } of [first, second]) await api.call('DELETE', `/v1/extensions/${id}`);
  });

  test('that is refused leaves nothing', async () => {
    const bad = zipOf([{ path: '../manifest.json', content: '{}' }]);
    expect(await uploadExtension(api, bad)).toMatchObject({
      status: 422,
      body: { error: { code: 'EXTENSION_INVALID', nextStep: 'fix_request' } },
    });
    expect(await uploadExtension(api, extensionZip({ manifest: { permissions: ['proxy'] } }))).toMatchObject({
      status: 422,
      body: { error: { details: { permissions: [{ permission: 'proxy' }] } } },
    });
    const large = Buffer.alloc(32 * 1024 ** 2 + 1);
    expect(await uploadExtension(api, large)).toMatchObject({
      status: 413,
      body: { error: { code: 'PAYLOAD_TOO_LARGE' } },
    });
    expect(await bytesKept()).toEqual([]);
  });

  test('is for the engine `full`, and the shell says so', async () => {
    const { body } = await uploadExtension(api, extensionZip());
    expect(await api.create({ engine: 'shell', extensions: [body.id] })).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_FAILED',
          details: { issues: [{ path: 'extensions', reason: expect.stringContaining('engine: "full"') }] },
        },
      },
    });
    await api.call('DELETE', `/v1/extensions/${body.id}`);
  });

  test('belongs to its project alone', async () => {
    const { body } = await uploadExtension(api, extensionZip());
    const missing = { status: 404, body: { error: { code: 'EXTENSION_NOT_FOUND' } } };
    expect((await stranger.call('GET', '/v1/extensions')).body.items).toEqual([]);
    expect(await stranger.call('GET', `/v1/extensions/${body.id}`)).toMatchObject(missing);
    expect(await stranger.call('DELETE', `/v1/extensions/${body.id}`)).toMatchObject(missing);
    expect(await stranger.create({ extensions: [body.id] })).toMatchObject(missing);
    await api.call('DELETE', `/v1/extensions/${body.id}`);
  });
});

describe('who may upload', () => {
  const forbidden = { status: 403, body: { error: { code: 'FORBIDDEN' } } };

  test('by default keys of admins, while all keys of the project see what there is', async () => {
    expect(await uploadExtension(member, extensionZip())).toMatchObject(forbidden);
    const { body } = await uploadExtension(api, extensionZip());
    expect(await member.call('DELETE', `/v1/extensions/${body.id}`)).toMatchObject(forbidden);
    expect((await member.call('GET', `/v1/extensions/${body.id}`)).body).toEqual(body);
    await api.call('DELETE', `/v1/extensions/${body.id}`);
  });

  test('with `all` every key, and with `off` none', async () => {
    await using open = await startServer({ BROWSERD_EXTENSIONS: 'all' });
    const made = await open.api.call('POST', '/v1/keys', { body: { name: 'member', role: 'member' } });
    expect((await uploadExtension(open.api.as(made.body.key), extensionZip())).status).toBe(201);
    await using closed = await startServer({ BROWSERD_EXTENSIONS: 'off' });
    const unavailable = {
      status: 501,
      body: {
        error: { code: 'FEATURE_UNAVAILABLE', message: expect.stringContaining('switched extensions off') },
      },
    };
    expect(await uploadExtension(closed.api, extensionZip())).toMatchObject(unavailable);
    expect(await closed.api.create({ extensions: ['extension_01ja9q4m8h2f7t3k5w6x8y0z1a'] })).toMatchObject(
      unavailable,
    );
  });
});
