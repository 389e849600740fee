import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server that can be cut while it is in use. */
export interface CutLine extends AsyncDisposable {
  url: string;
  /** Connections so far. */
  connections(): number;
  cut(): void;
}

export async function lineTo(url: string): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    connections++;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    cut,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
