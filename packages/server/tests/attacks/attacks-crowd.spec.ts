import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentPath, named, upload } from '../support/file-client.ts';
import { eventually, makeFolders, type ServerProcess, spawnServer } from '../support/server.ts';

/** Clients that are many, or slow, or do not listen: the service keeps its memory, and its time for the others. */
const mostConnections = 400;
const megabyte = 1024 ** 2;
let folders: Awaited<ReturnType<typeof makeFolders>>;
let server: ServerProcess;
let port: number;
const sockets = new Set<Socket>();

beforeAll(async () => {
  folders = await makeFolders({
    BROWSERD_REQUEST_TIMEOUT: '3s',
    BROWSERD_MAX_CONNECTIONS: String(mostConnections),
  });
  server = await spawnServer(folders.env);
  port = Number(new URL(server.api.url).port);
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  await folders[Symbol.asyncDispose]();
});

const memory = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024;
const openFiles = (): Promise<number> =>
  server.api.call('GET', '/metrics').then(({ body }) => Number(/^process_open_fds (\d+)/m.exec(body)?.[1]));

/** Sends, and reads nothing unless it is told to. */
function open(bytes: string): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  socket.pause();
  socket.write(bytes);
  return socket;
}
const crowd = (count: number, bytes: string): Socket[] => Array.from({ length: count }, () => open(bytes));
const leave = async (): Promise<void> => {
  for (const socket of sockets) socket.destroy();
  await eventually(
    async () => sockets.size,
    (left) => left === 0,
  );
};
const healthy = async (): Promise<void> => expect((await fetch(`${server.api.url}/health`)).status).toBe(200);

test('headers and bodies that come drop by drop are cut off, and others are served meanwhile', async () => {
  const head = `Host: x\r\nAuthorization: Bearer ${server.api.key}\r\nContent-Type: application/json\r\n`;
  const slow = [
    ...crowd(100, 'GET /health HTTP/1.1\r\nHost: x\r\n'),
    ...crowd(
      100,
      `POST /v1/browsers HTTP/1.1\r\n${head}Idempotency-Key: a\r\nContent-Length: 100000\r\n\r\n{`,
    ),
    ...crowd(50, ''),
  ];
  for (const socket of slow) socket.resume();
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('X');
  }, 100);
  try {
    await eventually(
      async () => {
        await healthy();
        return slow.filter((socket) => !socket.destroyed).length;
      },
      (left) => left === 0,
    );
  } finally {
    clearInterval(drip);
    await leave();
  }
});

test('readers of a large answer who do not read cost no memory, and are not waited for', async () => {
  const { id } = (await server.api.create()).body;
  await server.api.stop(id);
  const { body: file } = await upload(server.api, id, named('large'), { body: randomBytes(32 * megabyte) });
  const get = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.api.key}\r\n\r\n`;
  // the script of the reference page is loaded once, for good
  await (await fetch(`${server.api.url}/docs/scalar.js`)).arrayBuffer();
  const [before, filesBefore] = [memory(), await openFiles()];
  crowd(50, get(contentPath(id, file.id)));
  crowd(50, get(contentPath(id, file.id)).replace('\r\n\r\n', '\r\nRange: bytes=5-33000000\r\n\r\n'));
  crowd(100, get('/docs/scalar.js').repeat(50));
  await eventually(openFiles, (count) => count > filesBefore + 100);
  await healthy();
  // 200 × 3 to 32 MB were asked for
  expect(memory() - before).toBeLessThan(150 * megabyte);
  await eventually(openFiles, (count) => count <= filesBefore + 60);
  await leave();
});

test('a crowd of silent connections keeps no caller out, neither one of before nor a new one', async () => {
  const ask = (socket: Socket): Promise<string> => {
    const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(String(bytes))));
    socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n');
    return answer;
  };
  // on a busy machine the first ones may be late
  const { socket: kept } = await eventually(
    async () => {
      const socket = open('');
      return { socket, answer: await ask(socket.resume()) };
    },
    ({ answer }) => answer.startsWith('HTTP/1.1 200'),
  );
  crowd(3000, 'GET /health HTTP/1.1\r\n');
  await eventually(
    async () => server.output(),
    (text) => text.includes('connection.dropped'),
  );
  for (let caller = 0; caller < 20; caller++) await healthy();
  expect(await ask(kept)).toContain('HTTP/1.1 200');
  await leave();
  await eventually(
    () =>
      fetch(`${server.api.url}/health`).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  );
});

test('a flood of requests that nobody reads the answers of leaves time for others', async () => {
  const request = `GET /v1/browsers?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.api.key}\r\n\r\n`;
  const answered = async (): Promise<number> =>
    Number(
      /^browserd_http_requests_total\{method="GET",route="\/v1\/browsers",status="200"\} (\d+)/m.exec(
        (await server.api.call('GET', '/metrics')).body,
      )?.[1],
    );
  const flood = crowd(20, request.repeat(1000));
  for (let n = 0; n < 20; n++) await healthy();
  for (const socket of flood) socket.resume();
  await eventually(
    async () => sockets.size,
    (left) => left === 0,
  );
  // of each the first 32
  expect(await answered()).toBeLessThanOrEqual(20 * 32);
  expect(await answered()).toBeGreaterThan(0);
  expect(/"level":"(error|fatal)"/.exec(server.output())).toBeNull();
});
