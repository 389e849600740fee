import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Access } from '../../access/access.ts';
import { openTestStore } from '../../access/test-store.ts';
import { newId } from '../../kit/id.ts';
import { createLog } from '../../kit/log.ts';
import type { View, Views } from '../../page/page.ts';
import { LargeMessages } from './large-messages.ts';
import { Sockets } from './open-sockets.ts';
import { routeUpgrades } from './upgrade.ts';
import { openViewSocket } from './view-socket.ts';

type Port = Parameters<Views['open']>[3];

/** The socket alone, over real connections; in place of a view is what the test wants to hear and say. */
async function open() {
  const opened = await openTestStore();
  const log = createLog('silent');
  const access = new Access({ store: opened.store, log });
  const { id: projectId } = await access.ensureProject('default');
  const { id: keyId } = await access.createKey(projectId, { name: 'a', role: 'member' });
  const sockets = new Sockets();
  const heard: number[] = [];
  const ports: Port[] = [];
  const view = {
    hear: (message: Buffer) => {
      heard.push(message.length);
      return { done: Promise.resolve() };
    },
    close: () => undefined,
  } as unknown as View;
  const views = {
    open: async (_project: string, _browser: string, _allowed: object, port: Port) => {
      ports.push(port);
      return view;
    },
    refuseAbsent: async () => undefined,
  };
  const masks = { deep: <T>(_project: string, value: T): T => value };
  const server = createServer();
  const viewer = { projectId, keyId, role: 'member', mode: 'view', browserId: newId('browser') } as const;
  routeUpgrades(server, {
    routing: (request, response: ServerResponse) => {
      const parts = { access, sockets, log, views, masks };
      void openViewSocket(parts, request, newId('req'), viewer).catch((error: Error) =>
        response.end(error.message),
      );
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    projectId,
    heard,
    ports,
    connect: async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
      const closed = once(socket, 'close').then(([code, reason]) => `${code} ${reason}`);
      await once(socket, 'open');
      return { socket, closed };
    },
    [Symbol.asyncDispose]: async () => {
      await sockets.close();
      server.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const mebibyte = 1024 ** 2;

test('a large message of a viewer waits for room in its project', async () => {
  await using at = await open();
  const { socket } = await at.connect();
  const others = new LargeMessages(at.projectId);
  await others.enter(64 * mebibyte);
  socket.send('small');
  socket.send('x'.repeat(2 * mebibyte));
  socket.send('behind');
  await expect.poll(() => at.heard).toEqual([5]);
  others.close();
  await expect.poll(() => at.heard).toEqual([5, 2 * mebibyte, 6]);
});

test('a viewer that does not read what it is told is sent away, whatever it is told', async () => {
  await using at = await open();
  const { socket, closed } = await at.connect();
  socket.pause();
  const message = 'x'.repeat(mebibyte);
  for (let n = 0; n < 40; n++) at.ports[0]?.tell({ type: 'refused', what: 'unknown', message });
  socket.resume();
  expect(await closed).toBe('4003 the client did not read what it was sent');
});

test('a message that is larger than a viewer may send ends the socket', async () => {
  await using at = await open();
  const { socket, closed } = await at.connect();
  socket.send('x'.repeat(5 * mebibyte));
  expect(await closed).toMatch(/^1009 PAYLOAD_TOO_LARGE/);
});
