import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressesIn, formatCidr, inCidr, kindOf, parseAddress, parseCidr } from './address.ts';

const kinds = (text: string): string[] => addressesIn(parseAddress(text)!).map(kindOf);

describe('an address is public', () => {
  test.each([
    '8.8.8.8',
    '93.184.215.14',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
  ])('%s', (text) => expect(kinds(text)).toEqual(['public']));
  test.each(['2606:4700::1111', '2a00:1450:4001::200e', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
    '%s',
    (text) => expect(kinds(text)).toEqual(['public']),
  );
  test('64:ff9b::8.8.8.8, through the NAT64 of an IPv6-only network', () => {
    expect(kinds('64:ff9b::8.8.8.8')).toEqual(['public', 'public']);
  });
});

describe('an address is not public', () => {
  test.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '10.255.255.255',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.255.255',
    ],
    ...[
      '169.254.1.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.168.0.1',
      '192.88.99.1',
      '198.18.0.1',
    ],
    ...[
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::7f00:1',
      '::ffff:10.0.0.1',
      '::ffff:0:127.0.0.1',
      '100::1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'fe80::1%eth0',
    ],
    ...[
      'fec0::1',
      'ff02::1',
      '2001:db8::1',
      '2001::1',
      '2001:10::1',
      '2002:808:808::1',
      '3fff::1',
      '4000::1',
      '5f00::1',
    ],
    ...[
      '64:ff9b::10.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::808:808',
      '64:ff9b:1:808:8:800::',
      '1::1',
      '8000::1',
    ],
  ])('%s', (text) => {
    expect(kinds(text).some((kind) => kind !== 'public')).toBe(true);
  });
});

test.each([
  ...[
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
  ],
  ...[
    '::ffff:169.254.169.254',
    '::ffff:a83f:8110',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::168.63.129.16',
    '::169.254.169.254',
  ],
  ...[
    '2002:a9fe:a9fe::1',
    '2001:0:a9fe:a9fe::',
    '2001::5601:5601',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1::a9fe:a9fe',
    '2001:db8::5efe:a9fe:a9fe',
    '2606:4700:1:2:200:5efe:a9fe:a9fe',
  ],
])('%s hides a metadata service', (text) => {
  expect(kinds(text)).toContain('metadata');
});

test('IPv4 inside IPv6 is judged like the IPv4 address itself', () => {
  const wraps = ['::ffff:', '64:ff9b::', '::ffff:0:', '::'];
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom(...wraps), (inner, wrap) => {
      fc.pre(!/^0\.0\.0\.[01]$/.test(inner));
      expect(kinds(`${wrap}${inner}`)).toContain(kinds(inner)[0]);
    }),
  );
});

test.each(['', 'localhost', '127.1', '0x7f.0.0.1', '1.2.3', '1.2.3.4 ', '[::1]', '12345::', '1.2.3.4/8'])(
  '%j is not an address',
  (text) => expect(parseAddress(text)).toBeUndefined(),
);

describe('a range', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['10.0.0.1', '10.0.0.1/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.168.17.255/23', '192.168.16.0/23'],
    ['FD00::1/8', 'fd00::/8'],
    ['::1', '::1/128'],
    ['::/0', '::/0'],
    ['2001:db8:ffff::/35', '2001:db8:e000::/35'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ])('%s is %s', (text, normal) => {
    expect(formatCidr(parseCidr(text)!)).toBe(normal);
  });

  test.each([
    '',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10/8',
    'example.com/8',
    'fe80::%eth0/64',
    '10.0.0.0/255.0.0.0',
  ])('%j is none', (text) => expect(parseCidr(text)).toBeUndefined());

  test('covers its members', () => {
    const member = parseAddress('10.2.3.4')!;
    expect(inCidr(member, parseCidr('10.0.0.0/8')!)).toBe(true);
    expect(inCidr(member, parseCidr('11.0.0.0/8')!)).toBe(false);
    expect(inCidr(member, parseCidr('::/0')!)).toBe(false);
  });
});
