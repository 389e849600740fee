import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import { join } from 'node:path';

/**
 * Listeners that no browser or script may reach, and a process that none may end: any connection or signal here came
 * through a wall. An uncaught exception is noticed here too: it would have ended the service.
 */
export interface Canaries extends AsyncDisposable {
  tcp: number;
  udp: number;
  unix: string;
  /** Without the NUL that abstract names begin with. */
  abstract: string;
  /** Lives as the user that scripts and browsers run as. */
  victim: ChildProcess;
  heard: string[];
}

export async function openCanaries(folder: string): Promise<Canaries> {
  const heard: string[] = [];
  const unix = join(folder, 'canary.sock');
  const abstract = `browserd-canary-${process.pid}-${Date.now()}`;
  const tcp = await listen('tcp', { host: '127.0.0.1', port: 0 }, heard);
  const servers = [
    tcp,
    await listen('unix', { path: unix }, heard),
    await listen('abstract', { path: `\0${abstract}` }, heard),
  ];
  chmodSync(unix, 0o777);
  const udp = createSocket('udp4', (message) => heard.push(`udp ${message.toString('latin1').slice(0, 40)}`));
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  const crashed = (error: Error): void => void heard.push(`the service would have crashed: ${error.stack}`);
  process.on('uncaughtException', crashed);
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const victim = spawn('sleep', ['600'], { stdio: 'ignore', ...nobody });
  victim.once('exit', (_, signal) => heard.push(`victim ${signal}`));
  return {
    tcp: (tcp.address() as AddressInfo).port,
    udp: udp.address().port,
    unix,
    abstract,
    victim,
    heard,
    async [Symbol.asyncDispose]() {
      victim.removeAllListeners('exit').kill('SIGKILL');
      process.off('uncaughtException', crashed);
      udp.close();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function listen(name: string, options: ListenOptions, heard: string[]): Promise<Server> {
  const server = createServer((socket) => {
    heard.push(`${name} connection`);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => heard.push(`${name} ${bytes.toString('latin1').slice(0, 80)}`));
    socket.on('end', () => socket.end());
  });
  return new Promise((resolve) => {
    server.listen(options, () => resolve(server));
  });
}
