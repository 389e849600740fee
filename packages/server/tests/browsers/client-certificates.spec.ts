import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adaKey, houseCertificate, passphrase, pfxFiles } from '../../src/egress/vouch/key-files.fixture.ts';
import { makeAuthority } from '../../src/egress/vouch/vouch.fixture.ts';
import { filesWith } from '../support/files-with.ts';
import { networkClient } from '../support/network-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { type SecureSite, startSecureSite } from '../support/secure-site.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Signs the sites. */
const house = makeAuthority('the house');
/** Signs those whom they let in. */
const staff = makeAuthority('the staff');
const grace = staff.issue({ name: 'grace' });

let server: TestServer;
let vault: SecureSite;
let annex: SecureSite;

const hosts = {
  'vault.localhost': house.issue({ host: 'vault.localhost' }),
  'other.localhost': house.issue({ host: 'other.localhost' }),
};

beforeAll(async () => {
  vault = await startSecureSite(hosts, { clients: staff.cert });
  annex = await startSecureSite(hosts, { clients: staff.cert });
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([vault.close(), annex.close()]);
});

const trust = { tls: { trust: [house.cert] } };
const open = { policy: { privateAccess: { localhost: true } } };
const mine = () => ({
  clientCertificates: [{ origin: vault.at('vault.localhost'), cert: grace.cert, key: grace.key }],
});
const titleAt = (url: string): string => `await page.goto('${url}'); return page.title()`;

describe.each(['shell', 'full'] as const)('with the engine %s', (engine) => {
  test('a site that asks for a certificate gets that of its origin, and no other site does', async () => {
    const { api } = server;
    const url = `${vault.at('vault.localhost')}/${engine}`;
    const { body: browser } = await api.create({ ...open, ...trust, ...mine(), engine, startUrl: url });
    expect(browser.startPage).toEqual({ state: 'loaded' });
    const facts = { subject: 'CN=grace', origin: vault.at('vault.localhost') };
    expect(browser.clientCertificates).toEqual([expect.objectContaining(facts)]);
    const { resultOf, errorOf } = scriptClient(server, browser.id);
    expect(await resultOf(titleAt(url))).toBe('vault.localhost 2.0');
    expect(vault.asked.filter(({ path }) => path === `/${engine}`)).toContainEqual(
      expect.objectContaining({ client: 'CN=grace' }),
    );
    for (const elsewhere of [vault.at('other.localhost'), annex.at('vault.localhost')])
      expect(await errorOf(titleAt(elsewhere)), elsewhere).toMatchObject({ code: 'NAVIGATION_FAILED' });
    expect(vault.asked.filter(({ host }) => host === 'other.localhost')).toEqual([]);
    expect(annex.asked).toEqual([]);

    await api.stop(browser.id);
    await api.resume(browser.id);
    expect(await resultOf(titleAt(url))).toBe('vault.localhost 2.0');
    await api.remove(browser.id);
  });
});

test('certificates change while the browser runs, and open connections to their hosts are ended', async () => {
  const { api } = server;
  const url = vault.at('vault.localhost');
  const { body: browser } = await api.create({ ...open, ...trust });
  const { resultOf, errorOf } = scriptClient(server, browser.id);
  await errorOf(titleAt(url));
  await api.patch(browser.id, mine());
  expect(await resultOf(titleAt(url))).toBe('vault.localhost 2.0');
  const linus = staff.issue({ name: 'linus' });
  const { body: changed } = await api.patch(browser.id, {
    clientCertificates: [{ origin: `${url}/`, cert: linus.cert, key: linus.key }],
  });
  expect(changed.clientCertificates).toMatchObject([{ origin: url, subject: 'CN=linus' }]);
  await resultOf(titleAt(`${url}/as-linus`));
  expect(vault.asked.at(-1)).toMatchObject({ path: '/as-linus', client: 'CN=linus' });
  const { body: none } = await api.patch(browser.id, { clientCertificates: null });
  expect(none).not.toHaveProperty('clientCertificates');
  expect(await errorOf(titleAt(`${url}/as-nobody`))).toMatchObject({ code: 'NAVIGATION_FAILED' });
  await api.remove(browser.id);
});

test('a certificate that the site does not take opens nothing', async () => {
  const { api } = server;
  const { cert, key } = makeAuthority('others').issue({ name: 'mallory' });
  const clientCertificates = [{ origin: vault.at('vault.localhost'), cert, key }];
  const { body: browser } = await api.create({ ...open, ...trust, clientCertificates });
  const { errorOf } = scriptClient(server, browser.id);
  expect(await errorOf(titleAt(vault.at('vault.localhost')))).toMatchObject({ code: 'NAVIGATION_FAILED' });
  expect(vault.asked.map(({ client }) => client)).not.toContain('CN=mallory');
  await api.remove(browser.id);
});

test('the site itself has to be known: by the usual authorities, or by those of the browser', async () => {
  const { api } = server;
  const url = vault.at('vault.localhost');
  const own = getCACertificates();
  const { body: browser } = await api.create({ ...open, ...mine() });
  const { resultOf, errorOf } = scriptClient(server, browser.id);
  const before = vault.asked.length;
  expect((await errorOf(titleAt(url))).details.reason).toBe('ERR_CERT_AUTHORITY_INVALID');
  expect(vault.asked).toHaveLength(before);

  setDefaultCACertificates([...own, house.cert]);
  try {
    await api.patch(browser.id, { ...mine(), tls: { trust: [staff.cert] } });
    expect(await resultOf(titleAt(url))).toBe('vault.localhost 2.0');
    await api.patch(browser.id, { ...mine(), tls: null });
    expect(await resultOf(titleAt(`${url}/usual`))).toBe('vault.localhost 2.0');
  } finally {
    setDefaultCACertificates(own);
  }
  await api.patch(browser.id, { ...mine(), tls: { ignoreErrorsFor: ['vault.localhost'] } });
  expect(await resultOf(titleAt(`${url}/ignored`))).toBe('vault.localhost 2.0');
  await api.remove(browser.id);
});

test('a PKCS #12 file does as well, also over TLS 1.2 and in a quick action', async () => {
  const old = await startSecureSite(
    { 'old.localhost': house.issue({ host: 'old.localhost' }) },
    { clients: houseCertificate, old: true },
  );
  const url = old.at('old.localhost');
  const clientCertificates = [{ origin: url, pfx: pfxFiles.today, passphrase }];
  const { status, body } = await server.api.call('POST', '/v1/scrape', {
    body: { url, ...open, ...trust, clientCertificates },
  });
  expect([status, body.error]).toEqual([200, undefined]);
  expect(old.asked).toContainEqual(expect.objectContaining({ client: 'CN=ada', version: '1.1' }));
  await old.close();
});

test('keys and passphrases are in no answer, event, log, HAR or file', async () => {
  const { api } = server;
  const client = await networkClient(server, {
    ...trust,
    har: true,
    clientCertificates: [
      ...mine().clientCertificates,
      { origin: 'https://ada.test', pfx: pfxFiles.today, passphrase },
    ],
  });
  await client.visit(`${vault.at('vault.localhost')}/secret`, 'vault.localhost 2.0');
  const seen = await Promise.all([
    api.get(client.id),
    api.call('GET', '/v1/browsers'),
    api.call('GET', `/v1/browsers/${client.id}/events`),
    api.patch(client.id, { name: 'vault' }),
    client.list(),
    client.har(),
  ]);
  const text = JSON.stringify(seen);
  expect(text).toContain('CN=grace');
  const lineOf = (pem: string): string => pem.split('\n')[1] as string;
  await api.stop(client.id);
  const secrets = [lineOf(grace.key), lineOf(adaKey), passphrase, lineOf(grace.cert)];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(await filesWith(server.dataDir, ...secrets)).toEqual([]);
  await api.remove(client.id);
});

test('wrong values are named', async () => {
  const [one] = mine().clientCertificates;
  const linus = staff.issue({ name: 'linus' });
  const origin = 'https://a.test';
  const wrong: [object[], string][] = [
    [[{ ...one, origin: 'http://a.test' }], 'expected https'],
    [[{ ...one, origin: 'https://a.test/path' }], 'clientCertificates[0].origin'],
    [
      [
        { ...one, origin },
        { ...one, origin: 'https://A.test:443' },
      ],
      'same origin',
    ],
    [[{ origin, cert: grace.cert }], 'either cert and key, or pfx'],
    [[{ ...one, pfx: pfxFiles.today }], 'either cert and key, or pfx'],
    [[{ ...one, cert: linus.cert }], 'clientCertificates.0.cert'],
    [[{ origin, pfx: pfxFiles.today, passphrase: 'wrong' }], 'cannot be opened with this passphrase'],
    [[{ origin, pfx: 'bm9uc2Vuc2U=' }], 'clientCertificates.0.pfx'],
    [Array(21).fill(one), 'clientCertificates'],
  ];
  for (const [clientCertificates, word] of wrong) {
    const { status, body } = await server.api.create({ clientCertificates });
    expect([status, JSON.stringify(body.error.details.issues)]).toEqual([400, expect.stringContaining(word)]);
    expect(JSON.stringify(body)).not.toContain('PRIVATE KEY');
  }
});
