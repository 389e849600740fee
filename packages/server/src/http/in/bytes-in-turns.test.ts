import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { shareOf } from '../../kit/loop-share.ts';
import { chunksInTurns, readInTurnsOf } from './bytes-in-turns.ts';

const bytes = 4 * 1024 ** 2;

/** A body as it comes in, of a caller of this project. */
async function sent(projectId: string, length: number, isTold = true) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = isTold ? { 'content-length': length } : {};
  const outgoing = request({ port, method: 'POST', headers });
  outgoing.on('error', () => undefined).write(Buffer.alloc(length, 'x'));
  outgoing.end();
  const [raw] = (await once(server, 'request')) as [IncomingMessage];
  const asked = { raw, principal: { projectId } } as unknown as FastifyRequest;
  const close = (): void => {
    outgoing.destroy();
    server.closeAllConnections();
    server.close();
  };
  return { asked, raw, [Symbol.dispose]: close };
}

/** More than a project has in one turn of the loop. */
const muchMs = 10;

test.each([true, false])(
  'a large body (length told: %s) is not read while its project is over its share, and then comes whole',
  async (isTold) => {
    using body = await sent('turns', bytes, isTold);
    let came = 0;
    let pauses = 0;
    body.raw.pause();
    body.raw.on('data', (chunk: Buffer) => {
      came += chunk.length;
      shareOf('turns').spend(muchMs);
    });
    readInTurnsOf(body.asked);
    body.raw.on('pause', () => pauses++);
    body.raw.resume();
    await once(body.raw, 'end');
    expect(came).toBe(bytes);
    expect(pauses).toBeGreaterThan(1);
  },
);

test('a small one is read as it comes', async () => {
  using body = await sent('small', 1000);
  readInTurnsOf(body.asked);
  expect(body.raw.listenerCount('data')).toBe(0);
});

test('chunk by chunk it waits for its turn, too', async () => {
  const share = shareOf('chunks');
  using waits = vi.spyOn(share, 'wait');
  async function* three(): AsyncGenerator<Buffer> {
    for (const text of ['one', 'two', 'three']) yield Buffer.from(text);
  }
  const asked = { principal: { projectId: 'chunks' } } as unknown as FastifyRequest;
  const came: string[] = [];
  for await (const chunk of chunksInTurns(asked, three())) {
    came.push(chunk.toString());
    share.spend(muchMs);
  }
  expect(came).toEqual(['one', 'two', 'three']);
  expect(waits).toHaveBeenCalledTimes(2);
});
