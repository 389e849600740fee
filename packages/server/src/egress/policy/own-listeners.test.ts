import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { exit, get, local, openSite, openTunnel } from '../egress.fixture.ts';

describe('the listeners of the service', () => {
  const wide = {
    privateAccess: { localhost: true, cidrs: ['0.0.0.0/0', '::/0'], domains: ['rebind.example'] },
  };
  const address = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find((entry) => !entry.internal && entry.family === 'IPv4')?.address;

  test.each(['0.0.0.0', '::', '127.0.0.1', 'localhost'])(
    'bound to %s are closed on every address',
    async (host) => {
      const site = await openSite();
      const egress = await exit({
        resolve: async () => ['127.0.0.1'],
        ownListeners: () => [{ host, port: site.port }],
      });
      egress.allow(wide);
      const hosts = [
        '127.0.0.1',
        'localhost',
        '[::1]',
        '0.0.0.0',
        '[::]',
        '[::ffff:127.0.0.1]',
        '127.3.3.3',
        'rebind.example',
      ];
      if (address !== undefined && (host === '0.0.0.0' || host === '::')) hosts.push(address);
      for (const name of hosts) {
        const got = await get(egress, `http://${name}:${site.port}/`);
        expect([name, got.headers['x-browserd-refused']]).toEqual([name, 'own_listener']);
      }
      expect(site.connections).toBe(0);
    },
  );

  test('are asked for per connection', async () => {
    const site = await openSite();
    const own: { host: string; port: number }[] = [];
    const egress = await exit({ ownListeners: () => own });
    egress.allow(local);
    expect((await openTunnel(egress, `127.0.0.1:${site.port}`)).status).toBe(200);
    own.push({ host: '127.0.0.1', port: site.port });
    expect((await openTunnel(egress, `127.0.0.1:${site.port}`)).status).toBe(403);
  });

  test('include the exits of other browsers while they are open', async () => {
    const other = await exit();
    const egress = await exit();
    egress.allow(local);
    other.allow(local);
    for (const { port } of [other, egress]) {
      expect((await openTunnel(egress, `127.0.0.1:${port}`)).headers).toContain('own_listener');
    }
    await other.close();
    expect((await openTunnel(egress, `127.0.0.1:${other.port}`)).headers).toContain(
      'X-Browserd-Error: connect',
    );
  });
});
