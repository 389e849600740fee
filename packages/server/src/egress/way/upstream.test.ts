import { describe, expect, test } from 'vitest';
import { PolicyError } from '../policy/policy.ts';
import { describeUpstream, parseUpstream, type UpstreamInput } from './upstream.ts';

describe('a proxy is read', () => {
  test.each([
    ['http://proxy.example:3128', { scheme: 'http', host: 'proxy.example', port: 3128 }],
    ['HTTPS://Proxy.example', { scheme: 'https', host: 'proxy.example', port: 443 }],
    ['http://proxy.example/', { scheme: 'http', host: 'proxy.example', port: 80 }],
    ['socks5://[2001:db8::1]', { scheme: 'socks5', host: '2001:db8::1', port: 1080 }],
    ['socks5h://10.0.0.1:9', { scheme: 'socks5', host: '10.0.0.1', port: 9 }],
    ['proxy.example:8080', { scheme: 'http', host: 'proxy.example', port: 8080 }],
    ['http://ann@p.example', { scheme: 'http', host: 'p.example', port: 80, username: 'ann' }],
    [
      'http://a%40b:c%3Ad@e@p.example',
      { scheme: 'http', host: 'p.example', port: 80, username: 'a@b', password: 'c:d@e' },
    ],
  ])('%s', (text, upstream) => {
    expect(parseUpstream(text)).toEqual(upstream);
  });

  test('from its parts, which win over those in the address', () => {
    const input = {
      server: 'http://old:old@p.example:1',
      username: 'ann',
      password: 'p w',
      bypass: ['*.Intra.example', '10.0.0.1'],
    };
    expect(parseUpstream(input)).toEqual({
      scheme: 'http',
      host: 'p.example',
      port: 1,
      username: 'ann',
      password: 'p w',
      bypass: ['intra.example', '10.0.0.1'],
    });
  });
});

describe('a proxy that makes no sense is refused', () => {
  const wrong: [UpstreamInput, (string | number)[]][] = [
    ['', []],
    ['ftp://p.example', []],
    ['socks4://p.example', []],
    ['http://p.example/path', []],
    ['http://p.example?x', []],
    ['http://p.example:0', []],
    ['http://p.example:99999', []],
    ['http://a b.example', []],
    ['http://%zz:x@p.example', []],
    ['http://:secret@p.example', []],
    [{ server: 'nonsense://' }, ['server']],
    [{ server: 'http://p.example', password: 'alone' }, ['server']],
    [{ server: 'http://p.example', username: 'a:b' }, ['server']],
    [{ server: 'socks5://p.example', username: 'x'.repeat(256) }, ['server']],
    [{ server: 'http://p.example', bypass: ['ok.example', '<local>'] }, ['bypass', 1]],
  ];
  test.each(wrong)('%j', (input, path) => {
    let thrown: unknown;
    try {
      parseUpstream(input);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(PolicyError);
    expect(thrown).toMatchObject({ path });
    expect((thrown as Error).message).not.toContain('secret');
  });
});

test('a proxy is shown without its password', () => {
  const upstream = parseUpstream({ server: 'socks5://ann:secret@[::1]:9', bypass: ['a.example'] });
  expect(describeUpstream(upstream)).toEqual({
    server: 'socks5://[::1]:9',
    username: 'ann',
    bypass: ['a.example'],
  });
});
