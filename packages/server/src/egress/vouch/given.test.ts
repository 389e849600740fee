import { createPrivateKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readAuthorities, readIdentities } from './given.ts';
import { adaCertificate, adaKey, houseCertificate, passphrase, pfxFiles } from './key-files.fixture.ts';
import { makeAuthority } from './vouch.fixture.ts';

const house = makeAuthority('the house');
const person = house.issue({ name: 'ada' });
const origin = 'https://wiki.test';
const reasonOf = (read: () => unknown) =>
  Promise.resolve()
    .then(read)
    .then(
      () => 'no objection',
      (error) => `${error.path.join('.')}: ${error.reason}`,
    );

describe('authorities', () => {
  test('each is told apart, kept once, and described', () => {
    const other = makeAuthority('another');
    const oneLine = house.cert.replace(/(?<!-)\n(?!-)/g, '');
    const read = readAuthorities([`a comment\n${house.cert}${other.cert}`, oneLine]);
    expect(read.map(({ subject }) => subject)).toEqual(['CN=the house', 'CN=another']);
    expect(read[0]?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  });

  test.each([
    ['no PEM at all', '0: has no certificate in PEM'],
    [person.key, '0: has no certificate in PEM'],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      '0: has a certificate that cannot be read',
    ],
    [makeAuthority('old', { to: new Date('2020-01-01') }).cert, '0: has a certificate that expired at 2020'],
  ])('what is none is refused: %#', async (text, reason) => {
    expect(await reasonOf(() => readAuthorities([text]))).toContain(reason);
  });
});

describe('certificates of a browser', () => {
  test('a key and its certificate are taken from PEM, with those that lead up to the authority', async () => {
    const [read] = await readIdentities([{ origin, cert: person.cert + house.cert, key: person.key }]);
    expect(read).toMatchObject({ origin, subject: 'CN=ada', cert: person.cert + house.cert });
  });

  test('a locked key is opened with its passphrase', async () => {
    const cipher = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' } as const;
    const key = createPrivateKey(person.key).export(cipher) as string;
    const [read] = await readIdentities([{ origin, cert: person.cert, key, passphrase: 'open' }]);
    expect(read?.key).toBe(person.key);
    const reason = (passphrase?: string) =>
      reasonOf(() => readIdentities([{ origin, cert: person.cert, key, passphrase }]));
    expect(await reason('wrong')).toBe('0.key: cannot be opened with this passphrase');
    expect(await reason()).toBe('0.key: is encrypted, and there is no `passphrase`');
  });

  test.each(['today', 'often', 'old', 'open'] as const)(
    'a PKCS #12 file is opened, as it is written in many ways: %s',
    async (way) => {
      const given = { origin, pfx: pfxFiles[way] };
      const [read] = await readIdentities([{ ...given, passphrase }]);
      const cert = adaCertificate + houseCertificate;
      expect(read).toMatchObject({ subject: 'CN=ada', cert, key: adaKey });
      const refused = await reasonOf(() => readIdentities([{ ...given, passphrase: 'wrong' }]));
      expect(refused).toBe('0.pfx: cannot be opened with this passphrase');
    },
  );

  test('one that would keep the service busy, or is locked in another way, is refused', async () => {
    const refused = (pfx: string) => reasonOf(() => readIdentities([{ origin, pfx, passphrase }]));
    expect(await refused(pfxFiles.heavy)).toContain('more than 1000000 times');
    expect(await refused(pfxFiles.unknown)).toContain('write it again with AES-256');
  });

  test('what does not fit is named', async () => {
    const other = house.issue({ name: 'bob' });
    const old = house.issue({ name: 'old', to: new Date('2020-01-01') });
    const refused = (given: object) => reasonOf(() => readIdentities([{ origin, ...given }]));
    expect(await refused({ cert: other.cert, key: person.key })).toContain(
      '0.cert: does not belong to the key',
    );
    expect(await refused({ cert: person.cert, key: person.cert })).toBe('0.key: is no private key in PEM');
    expect(await refused({ cert: 'none', key: person.key })).toContain('0.cert: has no certificate in PEM');
    expect(await refused(old)).toContain('0.cert: has a certificate that expired at 2020');
    expect(await refused({ pfx: Buffer.from('nonsense').toString('base64') })).toContain(
      '0.pfx: cannot be read',
    );
    expect(await refused({ pfx: pfxFiles.today.slice(0, 400) })).toContain('0.pfx: cannot be read');
  });
});
