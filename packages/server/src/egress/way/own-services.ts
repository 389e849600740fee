/**
 * What the service itself depends on, such as its database: never reachable from a browser, under none of its names. The
 * names are looked up again and again, because an address behind one can move; what was found last stays closed when a
 * look-up fails.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { orAborted } from '../../kit/or-aborted.ts';
import { isLocalhost, type Listener } from '../policy/policy.ts';
import type { Resolve } from './names.ts';

export interface OwnServices extends Disposable {
  listeners(): Listener[];
}

/** As the database's own client does. */
const bySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
const lookMs = 3000;
const everyMs = 30_000;
const usualPorts: Record<string, number> = { postgres: 5432, postgresql: 5432, http: 80, https: 443 };

export async function openOwnServices(
  urls: readonly string[],
  resolve: Resolve = bySystem,
): Promise<OwnServices> {
  const places = urls.flatMap(placesIn);
  const found = new Map<Listener, string[]>(places.map((place) => [place, []]));
  const look = async (): Promise<void> => {
    await Promise.all(
      places.map(async (place) => {
        const { host } = place;
        const asked =
          isIP(host) || isLocalhost(host)
            ? Promise.resolve([isLocalhost(host) ? 'localhost' : host])
            : orAborted(resolve(host), AbortSignal.timeout(lookMs));
        await asked.then(
          (addresses) => found.set(place, addresses),
          () => undefined,
        );
      }),
    );
  };
  await look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    listeners: () => [...found].flatMap(([{ port }, hosts]) => hosts.map((host) => ({ host, port }))),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/**
 * `postgres://user:password@a:1,b:2/name` names two, and `?host=` beats what stands before; one that is reached over a
 * socket file names none.
 */
function placesIn(url: string): Listener[] {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*):\/\/(?:[^@/]*@)?([^/?#]*)/i.exec(url) ?? [];
  const instead = new URLSearchParams(url.split('?')[1] ?? '').get('host');
  return (instead ?? authority)
    .split(',')
    .map((place) => /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(place))
    .filter((match) => match?.[1])
    .map((match) => ({
      host: decodeURIComponent(match?.[1] ?? '').replaceAll(/[[\]]/g, ''),
      port: Number(match?.[2] ?? usualPorts[scheme.toLowerCase()] ?? 0),
    }))
    .filter(({ host, port }) => port > 0 && !host.startsWith('/'));
}
