import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeAuthority } from './vouch.fixture.ts';
import { Voucher } from './voucher.ts';

const site = new X509Certificate(
  makeAuthority('the house').issue({ name: 'wiki', host: 'wiki.test', to: new Date('2100-01-02T03:04:05Z') })
    .cert,
);

test('a certificate of the exit reads like that of the site, for one host and another key', () => {
  const voucher = new Voucher();
  const made = new X509Certificate(voucher.certificateFor('wiki.test', site.raw));
  const { subject, issuer, validTo, serialNumber } = site;
  expect(made).toMatchObject({ subject, issuer, validTo, serialNumber, subjectAltName: 'DNS:wiki.test' });
  expect(made.verify(made.publicKey)).toBe(true);
  expect(made.publicKey.equals(site.publicKey)).toBe(false);
});

test('a host can be an address', () => {
  const names = ['127.0.0.1', '2001:db8::1'].map(
    (host) => new X509Certificate(new Voucher().certificateFor(host, site.raw)).subjectAltName,
  );
  expect(names).toEqual(['IP Address:127.0.0.1', 'IP Address:2001:DB8:0:0:0:0:0:1']);
});

test('no two have the same key', () => {
  expect(new Voucher().keyHash).not.toBe(new Voucher().keyHash);
});

test('what is kept for a site is used again, and only so many are kept', () => {
  const voucher = new Voucher();
  const first = voucher.contextFor('wiki.test', site);
  expect(voucher.contextFor('wiki.test', site)).toBe(first);
  for (let i = 0; i < 100; i++) voucher.contextFor(`${i}.test`, site);
  expect(voucher.contextFor('wiki.test', site)).not.toBe(first);
});
