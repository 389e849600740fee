/** What a client without a key does. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

type Attack = (world: World) => Promise<void>;

/** Keeps this many connections open, each begun by `first`; one that is closed is opened again. */
async function crowd(world: World, most: number, first: string, next?: string): Promise<void> {
  const { hostname, port } = new URL(world.url);
  const open = new Set<Socket>();
  while (!world.until.aborted) {
    for (let n = 0; n < 200 && open.size < most; n++) {
      const socket = connect(Number(port), hostname);
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      socket.on('connect', () => {
        world.did('connections');
        if (first) socket.write(first);
      });
      socket.on('data', () => {
        world.did('answers');
        if (next) socket.write(next);
      });
    }
    await sleep(50, undefined, { signal: world.until }).catch(() => undefined);
  }
  for (const socket of open) socket.destroy();
}

const bad = 'GET /v1/browsers HTTP/1.1\r\nhost: a\r\nauthorization: Bearer nonsense\r\n\r\n';

/** As many as one connection may have under way, and each answer asks for one more. */
const pipelined = (path: string): Attack => {
  const one = `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
  return (world) => crowd(world, 256, one.repeat(24), one);
};

export const strangerAttacks: Record<string, Attack> = {
  'stranger: opens 3,000 connections': (world) => crowd(world, 3000, ''),
  'stranger: 3,000 requests that never end': (world) => crowd(world, 3000, 'GET / HTTP/1.1\r\nhost: a\r\nx-'),
  'stranger: wrong keys as fast as it can': (world) => crowd(world, 64, bad, bad),
  'stranger: unknown paths as fast as it can': pipelined('/v1/no/such/path'),
  'stranger: readiness as fast as it can': pipelined('/health/ready'),
};
