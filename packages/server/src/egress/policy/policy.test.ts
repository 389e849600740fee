import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Target } from './origin.ts';
import {
  decideAddress,
  decideHost,
  type EgressPolicy,
  normalizePolicy,
  PolicyError,
  readPolicy,
} from './policy.ts';

const at = (
  host: string,
  scheme: Target['scheme'] = 'https',
  port = scheme === 'http' || scheme === 'ws' ? 80 : 443,
): Target => ({
  scheme,
  host,
  port,
});
const host = (policy: EgressPolicy, target: Target) => decideHost(readPolicy(policy), target);
const address = (policy: EgressPolicy, name: string, ip = name) =>
  decideAddress(readPolicy(policy), at(name), ip);

// Built by hand where the library's own generators take seconds to set up.
const ipV6 = fc
  .array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.map((group) => group.toString(16)).join(':'));
const origin = fc
  .tuple(fc.constantFrom('http', 'https', 'ws', 'wss'), fc.domain(), fc.integer({ min: 1, max: 65_535 }))
  .map(([scheme, domain, port]) => `${scheme}://${domain}:${port}`);

describe('normalising', () => {
  test('brings every entry into one spelling and leaves other fields alone', () => {
    const policy = {
      allowedDomains: ['*.Example.COM', 'example.com.', 'bücher.example', '0x7f.1', '[::1]'],
      blockedDomains: [],
      allowedOrigins: [
        'HTTPS://Example.com:443/',
        'http://example.com:8080',
        'wss://[::1]:9000',
        'ws://a.example:80',
      ],
      privateAccess: { cidrs: ['10.1.2.3/8', 'FD00::/8'], domains: ['*.corp.Example'], localhost: true },
      downloads: { mode: 'deny' as const },
    };
    expect(normalizePolicy(policy)).toEqual({
      allowedDomains: ['example.com', 'xn--bcher-kva.example', '127.0.0.1', '::1'],
      blockedDomains: [],
      allowedOrigins: [
        'https://example.com',
        'http://example.com:8080',
        'wss://[::1]:9000',
        'ws://a.example',
      ],
      privateAccess: { cidrs: ['10.0.0.0/8', 'fd00::/8'], domains: ['corp.example'], localhost: true },
      downloads: { mode: 'deny' },
    });
    expect(normalizePolicy({ privateAccess: false })).toEqual({ privateAccess: false });
  });

  test('twice is the same as once', () => {
    const domains = fc.array(fc.oneof(fc.domain(), fc.ipV4(), ipV6));
    const origins = fc.array(origin);
    const cidrs = fc.array(
      fc.oneof(fc.tuple(fc.ipV4(), fc.nat(32)), fc.tuple(ipV6, fc.nat(128))).map((pair) => pair.join('/')),
    );
    fc.assert(
      fc.property(domains, origins, cidrs, (allowedDomains, blockedOrigins, ranges) => {
        const once = normalizePolicy({ allowedDomains, blockedOrigins, privateAccess: { cidrs: ranges } });
        expect(normalizePolicy(once)).toEqual(once);
      }),
    );
  });

  const wrong: [EgressPolicy, (string | number)[]][] = [
    [{ allowedDomains: ['ok.example', 'https://example.com'] }, ['allowedDomains', 1]],
    [{ allowedDomains: ['*'] }, ['allowedDomains', 0]],
    [{ allowedDomains: ['*.*.example.com'] }, ['allowedDomains', 0]],
    [{ allowedDomains: ['*.10.0.0.1'] }, ['allowedDomains', 0]],
    [{ blockedDomains: ['example.com:80'] }, ['blockedDomains', 0]],
    [{ blockedDomains: ['example.com/path'] }, ['blockedDomains', 0]],
    [{ blockedDomains: ['10.0.0.0/8'] }, ['blockedDomains', 0]],
    [{ blockedDomains: [''] }, ['blockedDomains', 0]],
    [{ allowedOrigins: ['example.com'] }, ['allowedOrigins', 0]],
    [{ allowedOrigins: ['https://example.com/path'] }, ['allowedOrigins', 0]],
    [{ allowedOrigins: ['https://user@example.com'] }, ['allowedOrigins', 0]],
    [{ allowedOrigins: ['https://*.example.com'] }, ['allowedOrigins', 0]],
    [{ allowedOrigins: ['ftp://example.com'] }, ['allowedOrigins', 0]],
    [{ blockedOrigins: ['https://example.com:0'] }, ['blockedOrigins', 0]],
    [{ privateAccess: { cidrs: ['10.0.0.0/40'] } }, ['privateAccess', 'cidrs', 0]],
    [{ privateAccess: { domains: ['a b'] } }, ['privateAccess', 'domains', 0]],
  ];
  test.each(wrong)('%j is refused with the place of the fault', (policy, path) => {
    let thrown: unknown;
    try {
      normalizePolicy(policy);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(PolicyError);
    expect(thrown).toMatchObject({ path, reason: expect.stringContaining('is not') });
  });
});

describe('by name', () => {
  test('everything is allowed without an allow-list, and with empty ones', () => {
    expect(host({}, at('example.com'))).toBeUndefined();
    expect(host({ allowedDomains: [], allowedOrigins: [] }, at('example.com'))).toBeUndefined();
  });

  test('an entry covers the host and its subdomains, with or without *.', () => {
    for (const entry of ['example.com', '*.example.com']) {
      expect(host({ allowedDomains: [entry] }, at('example.com'))).toBeUndefined();
      expect(host({ allowedDomains: [entry] }, at('a.b.example.com'))).toBeUndefined();
      expect(host({ allowedDomains: [entry] }, at('notexample.com'))).toBe('not_in_allow_list');
      expect(host({ blockedDomains: [entry] }, at('www.example.com'))).toBe('blocked_domain');
    }
  });

  test('domains and origins of the allow-list count together', () => {
    const policy = { allowedDomains: ['a.example'], allowedOrigins: ['https://b.example'] };
    expect(host(policy, at('a.example'))).toBeUndefined();
    expect(host(policy, at('b.example'))).toBeUndefined();
    expect(host(policy, at('www.b.example'))).toBe('not_in_allow_list');
    expect(host(policy, at('b.example', 'https', 8443))).toBe('not_in_allow_list');
    expect(host(policy, at('b.example', 'http'))).toBe('not_in_allow_list');
    expect(host({ allowedOrigins: ['https://b.example'] }, at('a.example'))).toBe('not_in_allow_list');
  });

  test('blocked beats allowed, whatever is allowed', () => {
    fc.assert(
      fc.property(fc.domain(), fc.array(fc.domain()), (domain, others) => {
        const policy = {
          allowedDomains: [domain, ...others],
          allowedOrigins: [`https://${domain}`],
          blockedDomains: [domain],
        };
        expect(host(policy, at(domain))).toBe('blocked_domain');
        expect(host(policy, at(`www.${domain}`, 'tunnel'))).toBe('blocked_domain');
      }),
    );
  });

  test('a longer allow-list never allows less, a longer block-list never more', () => {
    fc.assert(
      fc.property(fc.domain(), fc.array(fc.domain(), { minLength: 1 }), fc.domain(), (target, list, more) => {
        if (host({ allowedDomains: list }, at(target)) === undefined) {
          expect(host({ allowedDomains: [...list, more] }, at(target))).toBeUndefined();
        }
        if (host({ blockedDomains: list }, at(target)) !== undefined) {
          expect(host({ blockedDomains: [...list, more] }, at(target))).toBe('blocked_domain');
        }
      }),
    );
  });

  test('a tunnel matches an origin of any scheme on its host and port', () => {
    for (const scheme of ['https', 'wss', 'http', 'ws']) {
      const origin = [`${scheme}://a.example:9000`];
      expect(host({ allowedOrigins: origin }, at('a.example', 'tunnel', 9000))).toBeUndefined();
      expect(host({ blockedOrigins: origin }, at('a.example', 'tunnel', 9000))).toBe('blocked_origin');
      expect(host({ allowedOrigins: origin }, at('a.example', 'tunnel', 9001))).toBe('not_in_allow_list');
    }
    expect(host({ allowedOrigins: ['https://[::1]'] }, at('::1', 'tunnel', 443))).toBeUndefined();
  });

  test('a WebSocket belongs to the origin of its page, a page not to that of a WebSocket', () => {
    expect(host({ allowedOrigins: ['http://a.example'] }, at('a.example', 'ws'))).toBeUndefined();
    expect(host({ allowedOrigins: ['https://a.example'] }, at('a.example', 'wss'))).toBeUndefined();
    expect(host({ allowedOrigins: ['ws://a.example'] }, at('a.example', 'http'))).toBe('not_in_allow_list');
    expect(host({ blockedOrigins: ['ws://a.example'] }, at('a.example', 'http'))).toBeUndefined();
  });
});

describe('by address', () => {
  test('public ones are open, all others closed', () => {
    expect(address({}, 'a.example', '93.184.215.14')).toBeUndefined();
    for (const ip of [
      '10.0.0.1',
      '127.0.0.1',
      '169.254.1.1',
      '100.64.0.1',
      '::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '0.0.0.0',
    ]) {
      expect([ip, address({}, 'a.example', ip)]).toEqual([ip, 'private_address']);
      expect(address({ allowedDomains: ['a.example'] }, 'a.example', ip)).toBe('private_address');
      expect(address({ privateAccess: false }, 'a.example', ip)).toBe('private_address');
      expect(address({ privateAccess: {} }, 'a.example', ip)).toBe('private_address');
    }
  });

  test('a range opens its addresses, also in IPv6 clothes', () => {
    const policy = { privateAccess: { cidrs: ['10.0.0.0/8'] } };
    expect(address(policy, 'a.example', '10.9.9.9')).toBeUndefined();
    expect(address(policy, 'a.example', '::ffff:10.9.9.9')).toBeUndefined();
    expect(address(policy, 'a.example', '64:ff9b::10.9.9.9')).toBeUndefined();
    expect(address(policy, 'a.example', '192.168.0.1')).toBe('private_address');
    expect(address(policy, 'a.example', '2002:a00:1::1')).toBe('private_address');
  });

  test('a domain opens what it resolves to, for itself alone', () => {
    const policy = { privateAccess: { domains: ['corp.example'] } };
    expect(address(policy, 'wiki.corp.example', '10.0.0.1')).toBeUndefined();
    expect(address(policy, 'other.example', '10.0.0.1')).toBe('private_address');
    expect(address({ privateAccess: { domains: ['10.0.0.7'] } }, '10.0.0.7')).toBeUndefined();
  });

  test('localhost opens loopback and nothing else', () => {
    const policy = { privateAccess: { localhost: true } };
    for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
      expect(address(policy, 'x', ip)).toBeUndefined();
    for (const ip of ['10.0.0.1', '0.0.0.0', '::', '169.254.1.1'])
      expect(address(policy, 'x', ip)).toBe('private_address');
  });

  test('metadata never opens, not even to a range of exactly one', () => {
    const all = {
      privateAccess: {
        cidrs: ['0.0.0.0/0', '::/0', '169.254.0.0/16'],
        domains: ['meta.example'],
        localhost: true,
      },
    };
    for (const ip of [
      '169.254.169.254',
      '168.63.129.16',
      'fd00:ec2::254',
      '::ffff:169.254.169.254',
      '100.100.100.200',
    ]) {
      expect([ip, address(all, 'meta.example', ip)]).toEqual([ip, 'metadata_address']);
      expect(address({ privateAccess: { cidrs: [ip] } }, 'meta.example', ip)).toBe('metadata_address');
    }
    expect(address(all, 'meta.example', '169.254.1.1')).toBeUndefined();
  });

  test('a blocked address is blocked under every name', () => {
    const policy = { blockedDomains: ['93.184.215.14', '2606:4700::1111'] };
    expect(address(policy, 'a.example', '93.184.215.14')).toBe('blocked_domain');
    expect(address(policy, 'a.example', '::ffff:93.184.215.14')).toBe('blocked_domain');
    expect(address(policy, 'a.example', '2606:4700:0::1111')).toBe('blocked_domain');
    expect(address(policy, 'a.example', '8.8.8.8')).toBeUndefined();
  });

  test('what is no address is never dialled', () => {
    expect(address({}, 'a.example', 'localhost')).toBe('invalid_address');
    expect(address({}, 'a.example', '127.1')).toBe('invalid_address');
  });
});
