import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { exit, get, hangsUp, local, openEcho, openSite, openTunnel } from '../egress.fixture.ts';
import { readPolicy } from '../policy/policy.ts';
import { dial, type Network } from './dial.ts';

const rules = readPolicy({ privateAccess: { localhost: true } });

function network(resolve: Network['resolve']): Network & { sockets: Socket[] } {
  const sockets: Socket[] = [];
  return {
    resolve,
    isOwn: () => false,
    isOwnPort: () => false,
    track: (socket) => sockets.push(socket),
    sockets,
  };
}

test('giving up while the name is resolved opens no socket, however late the answer', async () => {
  let answer: (addresses: string[]) => void = () => undefined;
  const net = network(() => new Promise((resolve) => (answer = resolve)));
  const stop = new AbortController();
  const dialling = dial(rules, { scheme: 'tunnel', host: 'slow.example', port: 80 }, net, stop.signal);
  stop.abort(new Error('enough'));
  await expect(dialling).rejects.toThrow('enough');
  answer(['127.0.0.1']);
  await new Promise(setImmediate);
  expect(net.sockets).toEqual([]);
});

test('giving up while connecting leaves no socket', async () => {
  const echo = await openEcho();
  const net = network(async () => ['127.0.0.1', '127.0.0.2']);
  const stop = new AbortController();
  const dialling = dial(rules, { scheme: 'tunnel', host: 'a.example', port: echo.port }, net, stop.signal);
  await Promise.resolve();
  while (net.sockets.length === 0) await Promise.resolve();
  stop.abort(new Error('enough'));
  await expect(dialling).rejects.toThrow('enough');
  expect(net.sockets.every((socket) => socket.destroyed)).toBe(true);
});

test('the losers of a race between addresses are closed', async () => {
  const echo = await openEcho();
  const net = network(async () => ['127.0.0.3', '::1', '127.0.0.1']);
  const target = { scheme: 'tunnel', host: 'a.example', port: echo.port } as const;
  const socket = await dial(rules, target, net, new AbortController().signal);
  expect(socket.remoteAddress).toBe('127.0.0.1');
  expect(net.sockets.filter((one) => !one.destroyed)).toEqual([socket]);
  socket.destroy();
});

const publicAddress = '93.184.215.14';

/** Answers in turn, the last one for ever. */
const answering = (...answers: string[][]) => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<string[]> =>
    answers[Math.min(asked.push(host), answers.length) - 1]!;
  return { resolve, asked };
};

describe('the addresses of a name', () => {
  test('are resolved once: what was checked is what is dialled', async () => {
    const site = await openSite();
    const { resolve, asked } = answering(['127.0.0.1'], ['10.0.0.1']);
    const egress = await exit({ resolve });
    egress.allow({ privateAccess: { cidrs: ['127.0.0.1/32'] } });
    const { status } = await openTunnel(egress, `rebind.example:${site.port}`);
    expect([status, asked]).toEqual([200, ['rebind.example']]);
    expect(egress.stats().connections).toBe(1);
    expect((await openTunnel(egress, `rebind.example:${site.port}`)).headers).toContain('private_address');
  });

  test('are all refused when one of them is forbidden', async () => {
    const egress = await exit({ resolve: async () => [publicAddress, '2606:4700::1111', '10.0.0.8'] });
    egress.allow({});
    const got = await get(egress, 'http://mixed.example:8080/x');
    expect(got.headers['x-browserd-refused']).toBe('private_address');
    expect(egress.refusals).toEqual([
      {
        url: 'http://mixed.example:8080/x',
        host: 'mixed.example',
        port: 8080,
        address: '10.0.0.8',
        rule: 'private_address',
      },
    ]);
    expect(egress.stats().connections).toBe(0);
  });

  test('are tried in turn until one answers', async () => {
    const site = await openSite();
    const egress = await exit({ resolve: async () => ['::1', '127.0.0.9', '127.0.0.1'] });
    egress.allow(local);
    expect((await get(egress, `http://many.example:${site.port}/`)).status).toBe(200);
  });

  test('that do not exist are an error of DNS, not of the policy', async () => {
    for (const resolve of [async () => [], async () => Promise.reject(new Error('ENOTFOUND'))]) {
      const egress = await exit({ resolve });
      egress.allow({});
      await hangsUp(egress, 'http://nowhere.example/');
      expect(egress.unreached).toMatchObject([{ netError: 'ERR_NAME_NOT_RESOLVED' }]);
      expect((await openTunnel(egress, 'nowhere.example:443')).headers).toContain('X-Browserd-Error: dns');
      expect(egress.refusals).toEqual([]);
    }
  });

  test('are never names again', async () => {
    const egress = await exit({ resolve: async () => ['localhost'] });
    egress.allow(local);
    expect((await get(egress, 'http://odd.example/')).headers['x-browserd-refused']).toBe('invalid_address');
  });

  test('of localhost are this machine, without asking anybody', async () => {
    const site = await openSite();
    const { resolve, asked } = answering([publicAddress]);
    const egress = await exit({ resolve });
    egress.allow({ privateAccess: { cidrs: ['127.0.0.0/8'] } });
    for (const host of ['localhost', 'LOCALHOST.', 'app.localhost']) {
      expect((await get(egress, `http://${host}:${site.port}/`)).status).toBe(200);
    }
    egress.allow({});
    expect((await get(egress, `http://localhost:${site.port}/`)).headers['x-browserd-refused']).toBe(
      'private_address',
    );
    expect(asked).toEqual([]);
  });
});

test('forbidden hosts are refused in every spelling', async () => {
  const site = await openSite();
  const egress = await exit({ resolve: async () => [publicAddress] });
  egress.allow({});
  const spellings = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ];
  spellings.push(
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[::]',
    'localhost',
    'localhost.',
    '%31%32%37.1',
    '127.0.0.1.',
  );
  for (const text of ['１２７.０.０.１', '127。0。0。1', 'lo\u00adcalhost', 'ⓛocalhost']) {
    spellings.push(encodeURIComponent(text));
  }
  for (const host of spellings) {
    const got = await get(egress, `http://${host}:${site.port}/`);
    expect([host, got.status, got.headers['x-browserd-refused']]).toEqual([host, 403, 'private_address']);
  }
  expect(site.connections).toBe(0);
});
