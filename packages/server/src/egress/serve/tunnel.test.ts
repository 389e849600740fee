import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { exit, local, openEcho, openTunnel, readUntil, speak } from '../egress.fixture.ts';

describe('tunnels', () => {
  test('carry bytes both ways and end each direction on its own', async () => {
    const echo = await openEcho();
    const egress = await exit();
    egress.allow(local);
    const { status, socket, echo: send } = await openTunnel(egress, `localhost:${echo.port}`);
    expect(status).toBe(200);
    expect(await send('hello')).toBe('hello');
    socket.end('last words');
    expect(await readUntil(socket, (heard) => heard.endsWith('last words'))).toBe('last words');
    socket.resume();
    await once(socket, 'close');
    expect(egress.stats()).toMatchObject({ bytesIn: 15, bytesOut: 15, connections: 0 });
  });

  test('pass what was sent along with the CONNECT', async () => {
    const echo = await openEcho();
    const egress = await exit();
    egress.allow(local);
    const heard = await speak(egress, `CONNECT 127.0.0.1:${echo.port} HTTP/1.1\r\n\r\nearly`, /early$/);
    expect(heard).toMatch(/^HTTP\/1\.1 200 [^\r]+\r\n\r\nearly$/);
  });

  test('carry more than fits in memory buffers, at the speed of the slower side', async () => {
    const echo = await openEcho();
    const egress = await exit();
    egress.allow(local);
    const { socket } = await openTunnel(egress, `127.0.0.1:${echo.port}`);
    const block = Buffer.alloc(1 << 20, 'x');
    let received = 0;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    socket.resume();
    for (let i = 0; i < 16; i++) if (!socket.write(block)) await once(socket, 'drain');
    socket.end();
    await once(socket, 'close');
    expect(received).toBe(16 << 20);
  });

  test('are refused with the rule before anything is opened', async () => {
    const egress = await exit();
    egress.allow({ allowedDomains: ['example.com'] });
    const { status, headers } = await openTunnel(egress, 'example.org:443');
    expect(status).toBe(403);
    expect(headers).toContain('X-Browserd-Refused: not_in_allow_list');
    expect(egress.refusals).toEqual([
      { url: 'https://example.org:443', host: 'example.org', port: 443, rule: 'not_in_allow_list' },
    ]);
  });

  test('need a host and a port', async () => {
    const egress = await exit();
    egress.allow(local);
    for (const authority of [
      'example.com',
      'example.com:0',
      'example.com:99999',
      ':443',
      'a@b:443',
      '[::1]',
    ]) {
      const heard = await speak(egress, `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`, /\r\n\r\n/);
      expect([authority, heard.slice(0, 12)]).toEqual([
        authority,
        expect.stringMatching(/^HTTP\/1\.1 40[03]/),
      ]);
    }
  });
});
