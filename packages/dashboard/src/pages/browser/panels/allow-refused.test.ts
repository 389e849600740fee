import { describe, expect, test } from 'vitest';
import { allowing } from './allow-refused.ts';

const refused = (rule: string, host: string, url = `https://${host}:443`) => ({ rule, host, url });

describe('allowing what was refused', () => {
  test('puts on the allow-list what it misses, and leaves the rest of the policy alone', () => {
    const policy = { allowedDomains: ['a.test'], downloads: { mode: 'deny' as const } };
    expect(allowing(policy, refused('not_in_allow_list', 'b.test'))).toEqual({
      ...policy,
      allowedDomains: ['a.test', 'b.test'],
    });
  });

  test('takes away what blocks it, also by a parent domain', () => {
    const policy = { blockedDomains: ['*.ads.test', 'other.test'], blockedOrigins: ['https://x.test'] };
    expect(allowing(policy, refused('blocked_domain', 'cdn.ads.test'))?.blockedDomains).toEqual([
      'other.test',
    ]);
    expect(allowing(policy, refused('blocked_origin', 'x.test'))?.blockedOrigins).toEqual([]);
  });

  test('names what is private, by the narrowest name', () => {
    const privately = (host: string) => allowing({}, refused('private_address', host))?.privateAccess;
    expect(privately('127.0.0.1')).toEqual({ localhost: true });
    expect(privately('10.0.0.7')).toEqual({ cidrs: ['10.0.0.7/32'] });
    expect(privately('[fd00::1]')).toEqual({ cidrs: ['fd00::1/128'] });
    expect(allowing({}, refused('private_name', 'nas.local'))?.privateAccess).toEqual({
      domains: ['nas.local'],
    });
  });

  test('of a name that led to a private address allows that address, wherever the name leads next', () => {
    const rebound = refused('private_address', 'rebind.test');
    expect(allowing({}, { ...rebound, address: '10.0.0.7' })?.privateAccess).toEqual({
      cidrs: ['10.0.0.7/32'],
    });
    expect(allowing({}, { ...rebound, address: '::1' })?.privateAccess).toEqual({ localhost: true });
    expect(allowing({}, rebound)).toBeUndefined();
  });

  test('has nothing to offer where no policy would help', () => {
    expect(allowing({}, refused('own_listener', '127.0.0.1'))).toBeUndefined();
    expect(allowing({}, refused('metadata_address', '169.254.169.254'))).toBeUndefined();
    expect(allowing({}, refused('blocked_domain', 'a.test'))).toBeUndefined();
  });
});
