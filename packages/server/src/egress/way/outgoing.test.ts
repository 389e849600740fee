import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { listening, openSite } from '../egress.fixture.ts';
import { privateAccessIn } from '../policy/policy.ts';
import { startNameServer } from './name-server.fixture.ts';
import { createOutgoing } from './outgoing.ts';

const message = { headers: { 'webhook-id': 'event_1' }, body: '{"ü":1}', timeoutMs: 5000 };
const nothingOwn = () => [];
const openTo = (...entries: string[]) =>
  createOutgoing({ privateAccess: privateAccessIn(entries), ownListeners: nothingOwn });

describe('a call of the service itself', () => {
  test('reaches an allowed address with its headers and body', async () => {
    const site = await openSite();
    for (const [entry, host] of [
      ['localhost', 'localhost'],
      ['127.0.0.0/8', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.1'],
      ['localhost', '0x7f.1'],
    ] as const)
      expect(await openTo(entry).post(`http://${host}:${site.port}/hook?a=1`, message)).toMatchObject({
        status: 200,
      });
    expect(site.seen[0]).toMatchObject({ method: 'POST', url: '/hook?a=1' });
    expect(site.seen[0]?.headers).toMatchObject({
      host: `localhost:${site.port}`,
      'webhook-id': 'event_1',
      'content-length': '8',
    });
  });

  test.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://2130706433',
    'http://169.254.169.254',
    'http://10.1.2.3',
    'http://intranet',
    'ftp://example.com',
    'https://user:pass@example.com',
    'nonsense',
  ])('objects to %s at first sight', (url) => expect(openTo().objection(url)).toEqual(expect.any(String)));

  test('has no objection to a public name, nor to what was allowed', () => {
    expect(openTo().objection('https://example.com/hook')).toBeUndefined();
    expect(openTo('localhost').objection('http://127.0.0.1:9')).toBeUndefined();
    expect(openTo('hooks.internal').objection('http://hooks.internal')).toBeUndefined();
  });

  test('never dials a name that leads to a private address, nor any when one of several does', async () => {
    const site = await openSite();
    for (const addresses of [['127.0.0.1'], ['203.0.113.1', '127.0.0.1'], ['::ffff:7f00:1']]) {
      const outgoing = createOutgoing({
        privateAccess: false,
        ownListeners: nothingOwn,
        resolve: async () => addresses,
      });
      await expect(outgoing.post(`http://rebind.example:${site.port}/`, message)).rejects.toThrow(
        /not allowed \(private_address\)/,
      );
    }
    expect(site.connections).toBe(0);
  });

  test('never reaches a listener of the service, whatever is allowed', async () => {
    const site = await openSite();
    const outgoing = createOutgoing({
      privateAccess: privateAccessIn(['localhost']),
      ownListeners: () => [{ host: '127.0.0.1', port: site.port }],
    });
    await expect(outgoing.post(`http://localhost:${site.port}/`, message)).rejects.toThrow(/own_listener/);
    expect(site.connections).toBe(0);
  });

  test('follows no redirect', async () => {
    const site = await openSite();
    const redirecting = await listening(
      createHttpServer((_, answer) =>
        answer.writeHead(307, { location: `http://127.0.0.1:${site.port}/` }).end(),
      ),
    );
    const answer = await openTo('localhost').post(`http://127.0.0.1:${redirecting.port}/`, message);
    expect(answer.status).toBe(307);
    expect(site.connections).toBe(0);
  });

  test('is over in time when there is no answer, an endless one, or none that is HTTP', async () => {
    const outgoing = openTo('localhost');
    const silent = await listening(createServer(() => undefined));
    await expect(
      outgoing.post(`http://127.0.0.1:${silent.port}/`, { ...message, timeoutMs: 100 }),
    ).rejects.toThrow('no answer within 100 ms');
    const endless = await listening(
      createHttpServer((_, answer) => {
        const write = (): void =>
          void (answer.write('x'.repeat(10_000)) ? setImmediate(write) : answer.once('drain', write));
        write();
      }),
    );
    expect(await outgoing.post(`http://127.0.0.1:${endless.port}/`, message)).toMatchObject({ status: 200 });
    const rude = await listening(createServer((socket) => socket.end('go away\r\n\r\n')));
    await expect(outgoing.post(`http://127.0.0.1:${rude.port}/`, message)).rejects.toThrow();
    const hungUp = await listening(createServer((socket) => socket.destroy()));
    await expect(outgoing.post(`http://127.0.0.1:${hungUp.port}/`, message)).rejects.toThrow();
  });

  test('of one project reaches its receiver while the names of another are never resolved', async () => {
    const site = await openSite();
    using server = await startNameServer({ 'hook.test': '127.0.0.1' });
    const outgoing = createOutgoing({
      privateAccess: privateAccessIn(['hook.test']),
      ownListeners: nothingOwn,
      names: { servers: [server.address] },
    });
    const cut = new AbortController();
    const stuck = Array.from({ length: 40 }, (_, n) =>
      outgoing.post(`http://n${n}.slow/`, { ...message, of: 'a', signal: cut.signal }),
    );
    const ends = Promise.allSettled(stuck);
    const { status } = await outgoing.post(`http://hook.test:${site.port}/`, { ...message, of: 'b' });
    expect(status).toBe(200);
    cut.abort();
    await ends;
  });

  test('is cut off when the caller gives up', async () => {
    const silent = await listening(createServer(() => undefined));
    const giveUp = new AbortController();
    const call = openTo('localhost').post(`http://127.0.0.1:${silent.port}/`, {
      ...message,
      signal: giveUp.signal,
    });
    giveUp.abort();
    await expect(call).rejects.toThrow();
  });

  test('is configured in words that are checked', () => {
    expect(privateAccessIn(['localhost', '10.0.0.0/8', 'hooks.internal'])).toEqual({
      localhost: true,
      cidrs: ['10.0.0.0/8'],
      domains: ['hooks.internal'],
    });
    expect(() => privateAccessIn(['10.0.0.0/99'])).toThrow(/address range/);
    expect(() => privateAccessIn(['http://x'])).toThrow();
  });
});
