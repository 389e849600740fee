import { describe, expect, test } from 'vitest';
import { exit, get, local, openSite, speak } from '../egress.fixture.ts';

describe('WebSockets over plain HTTP', () => {
  const ask = (port: number, path = '/') =>
    `GET http://127.0.0.1:${port}${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n`;

  test('are joined once the site agrees', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const heard = await speak(egress, `${ask(site.port)}ping`, /ping$/);
    expect(heard).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/);
    expect(heard).toMatch(/Sec-WebSocket-Accept: x\r\n\r\nhi ping$/);
    expect(site.seen[0]!.headers).toMatchObject({ 'sec-websocket-key': 'k', host: `127.0.0.1:${site.port}` });
  });

  test('stay requests when the site does not', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const heard = await speak(
      egress,
      `${ask(site.port, '/no')}GET http://127.0.0.1:${site.port}/ HTTP/1.1\r\n\r\n`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*\r\n\r\nno$/);
    expect(site.seen).toHaveLength(1);
  });

  test('obey the policy', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow({ ...local, blockedOrigins: [`ws://127.0.0.1:${site.port}`] });
    expect(await speak(egress, ask(site.port))).toContain('X-Browserd-Refused: blocked_origin');
    expect((await get(egress, `http://127.0.0.1:${site.port}/`)).status).toBe(200);
  });

  test('that ask for another protocol are ordinary requests', async () => {
    const site = await openSite();
    const egress = await exit();
    egress.allow(local);
    const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'x' };
    const got = await get(egress, `http://127.0.0.1:${site.port}/`, { headers });
    expect(JSON.parse(got.body).headers).not.toHaveProperty('upgrade');
  });
});
