import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to the test database that can be cut, as a network is: for one node, while the others and the tests go on. */
export interface DatabaseRelay extends AsyncDisposable {
  /** The same database, by way of the relay. */
  url: string;
  /** Connections break, and new ones are refused. */
  cut(): void;
  /** To the same server, or to one that has taken its place. */
  mend(url?: string): void;
}

/** `url` names the folder of a unix socket, as the test database has it. */
export async function relayDatabase(url: string): Promise<DatabaseRelay> {
  const socketOf = (server: string): string => `${new URL(server).searchParams.get('host')}/.s.PGSQL.5432`;
  let socketPath = socketOf(url);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(socketPath);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => undefined);
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`,
    cut,
    mend(other = url) {
      socketPath = socketOf(other);
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
