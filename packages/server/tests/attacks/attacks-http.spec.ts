import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BareClient, createBareClient, type Got } from '../support/bare-client.ts';
import type { Api } from '../support/client.ts';
import { named, upload } from '../support/file-client.ts';
import { makeKey } from '../support/keys.ts';
import { fillIn, protectedRoutes, type Route, unknownId } from '../support/openapi-routes.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** A hostile caller at every route that openapi.json names: keys that are none, ids that are not his, and nonsense. */
let server: TestServer;
let api: Api;
let bare: BareClient;
let browserId: string;
let ours: Record<string, string>;

beforeAll(async () => {
  server = await startServer();
  api = server.api;
  bare = createBareClient(api.url);
  browserId = (await api.create({ name: 'ours', metadata: { secret: 'of ours' } })).body.id;
  const file = (await upload(api, browserId, named('ours.txt'), { body: 'the secret of ours' })).body.id;
  const key = (await api.call('POST', '/v1/keys', { body: { name: 'ours', role: 'member' } })).body;
  ours = { id: browserId, fileId: file, keyId: key.id, member: key.key };
});
afterAll(async () => {
  const { body } = await api.call('GET', '/metrics');
  bare.close();
  await server[Symbol.asyncDispose]();
  expect(body, 'a fault of the service').not.toContain('code="INTERNAL"');
});

const send: BareClient['send'] = (...call) => bare.send(...call);
const bodyOf = ({ example }: Route): string | undefined =>
  example === undefined ? undefined : JSON.stringify(example);
const codeOf = ({ text }: Got): string => JSON.parse(text).error.code;
const name = ({ method, path }: Route): string => `${method} ${path}`;

describe('a key', () => {
  test.each(['missing', 'unknown', 'revoked', 'expired', 'malformed'])(
    'that is %s opens no route',
    async (kind) => {
      const revoked = (await api.call('POST', '/v1/keys', { body: { name: 'r', role: 'admin' } })).body;
      await api.call('DELETE', `/v1/keys/${revoked.id}`);
      const expiresAt = Date.now() - 1000;
      const authorization: Record<string, string[]> = {
        missing: [''],
        unknown: [`Bearer bd_${'0'.repeat(43)}`, `Bearer ${api.key}x`, `Bearer ${api.key.slice(0, -1)}`],
        revoked: [`Bearer ${revoked.key}`],
        expired: [`Bearer ${await makeKey(server.dataDir, { project: 'default', expiresAt })}`],
        malformed: [
          api.key,
          `Basic ${Buffer.from(`:${api.key}`).toString('base64')}`,
          `Bearer ${api.key} ${api.key}`,
          `Bearer "${api.key}"`,
          `Bearer ${'a'.repeat(8000)}`,
          "Bearer ' or 1=1 --",
          'Bearer',
          'Bearer undefined',
        ],
      };
      for (const route of protectedRoutes)
        for (const value of authorization[kind] ?? []) {
          const headers: Record<string, string> = value === '' ? {} : { authorization: value };
          const got = await send(route.method, fillIn(route, ours), { headers, body: bodyOf(route) });
          expect([name(route), got.status, codeOf(got)]).toEqual([name(route), 401, 'UNAUTHENTICATED']);
          expect(got.headers['www-authenticate']).toBe('Bearer');
          expect(got.text).not.toContain(api.key);
        }
    },
  );

  test('in another place than the header opens nothing', async () => {
    for (const place of [`?key=${api.key}`, `?access_token=${api.key}`, `?authorization=Bearer%20${api.key}`])
      expect((await send('GET', `/v1/browsers${place}`)).status).toBe(401);
    for (const [header, value] of [
      ['cookie', `key=${api.key}`],
      ['x-api-key', api.key],
    ] as const)
      expect((await send('GET', '/v1/browsers', { headers: { [header]: value } })).status).toBe(401);
  });

  test('of a member opens nothing that is for admins', async () => {
    const forAdmins = protectedRoutes.filter(({ adminOnly }) => adminOnly);
    expect(forAdmins.length).toBeGreaterThan(3);
    for (const route of forAdmins) {
      const got = await send(route.method, fillIn(route, ours), { key: ours.member, body: bodyOf(route) });
      expect([name(route), got.status, codeOf(got)]).toEqual([name(route), 403, 'FORBIDDEN']);
    }
  });
});

test('a key of another project finds, changes and lists nothing of ours', async () => {
  const key = await makeKey(server.dataDir, { project: 'stranger' });
  const before = await Promise.all([api.get(browserId), api.call('GET', `/v1/browsers/${browserId}/files`)]);
  for (const route of protectedRoutes) {
    // a create is the stranger's own, and would be carried out
    if (route.params.length === 0 && route.method !== 'GET') continue;
    const got = await send(route.method, fillIn(route, ours), { key, body: bodyOf(route) });
    for (const secret of ['the secret of ours', 'of ours', ...Object.values(ours)].filter(
      (id) => id !== ours.id,
    ))
      expect(got.text, name(route)).not.toContain(secret);
    if (route.params.length === 0) {
      expect(got.text, name(route)).not.toContain(browserId);
      continue;
    }
    if (route.socketOnly && got.status === 426) continue;
    expect([name(route), got.status]).toEqual([name(route), expect.toBeOneOf([400, 404])]);
    if (got.status === 404) expect(codeOf(got)).toMatch(/_NOT_FOUND$/);
    // only what cannot be read is refused before the id is looked for
    if (bodyOf(route) !== undefined || route.method !== 'POST')
      expect([name(route), got.status]).toEqual([name(route), 404]);
  }
  const after = await Promise.all([api.get(browserId), api.call('GET', `/v1/browsers/${browserId}/files`)]);
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body));
});

describe('an id', () => {
  const hostile = [
    '..%2f..%2f..%2fetc%2fpasswd',
    '..%5c..%5cwindows',
    '%2e%2e',
    '..',
    '%00',
    'browser_%00',
    'a'.repeat(4096),
    '%F0%9F%98%80',
    '%EF%BC%8E%EF%BC%8E',
    '__proto__',
    'constructor',
    "'%20or%201=1--",
    '%0d%0aSet-Cookie:%20a=b',
    '%3Cscript%3E',
    '{id}',
    ':id',
    '*',
  ];
  const broken = ['%', '%zz', '%c0%af', '%ff', '%ud800'];

  test('that cannot be one is not found, at every route', async () => {
    for (const route of protectedRoutes)
      for (const param of route.params)
        for (const id of [...hostile, unknownId(param), unknownId('keyId').toUpperCase()]) {
          const path = fillIn(route, { ...ours, [param]: id });
          const got = await send(route.method, path, { key: api.key, body: bodyOf(route) });
          const what = `${route.method} ${path.slice(0, 200)}`;
          if (route.socketOnly && got.status === 426) continue;
          expect([what, got.status]).toEqual([what, expect.toBeOneOf([400, 404, 405])]);
          expect([what, codeOf(got)]).toEqual([
            what,
            expect.stringMatching(/_NOT_FOUND$|^(VALIDATION_FAILED|INVALID_REQUEST|METHOD_NOT_ALLOWED)$/),
          ]);
          expect(got.headers['set-cookie']).toBeUndefined();
          expect(got.headers['content-type']).toMatch(/^application\/json/);
        }
  });

  test('with a broken escape is refused, at every route', async () => {
    for (const route of protectedRoutes)
      for (const param of route.params)
        for (const id of broken) {
          const path = fillIn(route, { ...ours, [param]: id });
          const got = await send(route.method, path, { key: api.key, body: bodyOf(route) });
          expect([path, got.status, codeOf(got)]).toEqual([path, 400, 'INVALID_REQUEST']);
        }
  });
});

describe('what a caller says', () => {
  test('of his origin or our name changes nothing, at every route', async () => {
    const headers = {
      host: 'evil.example"><script>alert(1)</script>',
      origin: 'https://evil.example',
      referer: 'https://evil.example/',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'javascript',
      'x-original-url': '/v1/keys',
      'x-http-method-override': 'DELETE',
    };
    for (const { method, path } of [
      ...protectedRoutes.filter((route) => route.method === 'GET' && route.path !== '/metrics'),
      { method: 'GET', path: '/docs' },
      { method: 'GET', path: '/openapi.json' },
      { method: 'GET', path: '/nowhere' },
      { method: 'GET', path: '/health/ready' },
    ]) {
      const route = { method, path, params: [], example: undefined, adminOnly: false, socketOnly: false };
      const got = await send(method, fillIn(route, ours), { key: api.key, headers });
      const all = JSON.stringify(got.headers) + got.text;
      expect([name(route), all.includes('evil.example'), all.includes('alert(1)')]).toEqual([
        name(route),
        false,
        false,
      ]);
      expect(got.headers['access-control-allow-origin']).toBeUndefined();
      expect(got.headers['x-content-type-options']).toBe('nosniff');
    }
    expect((await api.get(browserId)).body.status).toBe('ready');
  });

  test('in a body that is too deep, too odd or no JSON harms no route that takes one', async () => {
    const bodies = [
      '['.repeat(200_000),
      '{"a":'.repeat(200_000),
      '{"__proto__":{"admin":true}}',
      '{"constructor":{"prototype":{"admin":true}}}',
      'null',
      '[]',
      '"text"',
      '{',
      '{"a":1e999}',
      `{"${'k'.repeat(1_000_000)}":1}`,
      `{"code":"\\ud800","name":"\\u0000"}`,
    ];
    for (const route of protectedRoutes.filter(({ example }) => example !== undefined))
      for (const body of bodies) {
        const got = await send(route.method, fillIn(route, ours), { key: api.key, body });
        expect([name(route), body.slice(0, 30), got.status]).toEqual([
          name(route),
          body.slice(0, 30),
          expect.toBeOneOf([400, 413, 422]),
        ]);
        expect(got.text.length).toBeLessThan(20_000);
      }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('in a compressed body is never unpacked, at any route that takes one', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 ** 2)).toString('latin1');
    for (const route of protectedRoutes.filter(({ method }) => method !== 'GET'))
      for (const coding of ['gzip', 'deflate', 'br', 'identity, gzip']) {
        const headers = { 'content-encoding': coding };
        const got = await send(route.method, fillIn(route, ours), { key: api.key, body: bomb, headers });
        expect([name(route), got.status, codeOf(got)]).toEqual([name(route), 415, 'UNSUPPORTED_MEDIA_TYPE']);
      }
  });

  test('in a query is read by nobody it was not meant for', async () => {
    for (const query of [
      '?__proto__[limit]=1',
      '?limit=1&limit=2',
      '?limit[a]=1',
      '?constructor[prototype][a]=1',
      '?limit=1e9',
      '?limit=-1',
      '?status=%3Cscript%3E',
      `?${Array.from({ length: 1000 }, (_, n) => `metadata[${n}]=x`)
        .join('&')
        .slice(0, 8000)}`,
    ])
      for (const path of ['/v1/browsers', `/v1/browsers/${browserId}/files`, '/v1/keys'])
        expect((await send('GET', path + query, { key: api.key })).status).toBe(400);
  });
});

test('two callers at once on every route are both answered, as the document says', async () => {
  const bodies: Record<string, object> = {
    'POST /v1/browsers': {},
    'PATCH /v1/browsers/{id}': { name: 'twice' },
    'POST /v1/browsers/{id}/script/execute': { code: 'return 1' },
    'POST /v1/keys': { name: 'twice', role: 'member' },
  };
  // what ends the browser comes last
  const routes = protectedRoutes.toSorted(
    (a, b) => Number(name(a) === 'DELETE /v1/browsers/{id}') - Number(name(b) === 'DELETE /v1/browsers/{id}'),
  );
  for (const route of routes) {
    const { method, example } = route;
    const body = bodies[name(route)] ?? (example === undefined ? undefined : {});
    const headers = () => ({ 'idempotency-key': randomUUID() });
    const call = () => api.call(method, fillIn(route, ours), { body, headers: headers() });
    const answers = await Promise.all([call(), call()]);
    for (const { status } of answers) expect([name(route), status < 500]).toEqual([name(route), true]);
    if (name(route) === 'POST /v1/browsers') for (const made of answers) await api.remove(made.body.id);
    // stopped by its own route
    if (route.path.endsWith('/stop')) await api.resume(browserId);
  }
  expect((await api.get(browserId)).body.status).toBe('closed');
});
