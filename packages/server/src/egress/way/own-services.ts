/**
 * What the service itself depends on, such as its database and the other nodes of its cluster: never reachable from a browser,
 * under none of its names. The names are looked up again and again, because an address behind one can move; what was found last
 * stays closed when a look-up fails.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { orAborted } from '../../kit/or-aborted.ts';
import { isLocalhost, isPublic, type Listener } from '../policy/policy.ts';
import type { Resolve } from './names.ts';

export interface OwnServices extends Disposable {
  listeners(): Listener[];
}

interface Place extends Listener {
  /** Only addresses of private networks are closed: at the others, those of a cloud, there are sites as well. */
  amongSites: boolean;
}

/** As the database's own client does. */
const bySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
const lookMs = 3000;
const everyMs = 30_000;
const usualPorts: Record<string, number> = { postgres: 5432, postgresql: 5432, http: 80, https: 443 };

/** What `urls` names may change: nodes come and go. */
export async function openOwnServices(
  urls: () => readonly string[],
  resolve: Resolve = bySystem,
): Promise<OwnServices> {
  const places = new Map<string, Place[]>();
  const addresses = new Map<string, string[]>();
  const placesOf = (url: string): Place[] => {
    const known = places.get(url) ?? placesIn(url);
    places.set(url, known);
    return known;
  };
  const look = async (host: string): Promise<void> => {
    if (!addresses.has(host)) addresses.set(host, literal(host));
    if (literal(host).length > 0) return;
    const found = await orAborted(resolve(host), AbortSignal.timeout(lookMs)).catch(() => undefined);
    if (found) addresses.set(host, found);
  };
  const lookAtAll = async (): Promise<void> => {
    const named = urls();
    for (const url of places.keys()) if (!named.includes(url)) places.delete(url);
    const hosts = new Set(named.flatMap(placesOf).map(({ host }) => host));
    for (const host of addresses.keys()) if (!hosts.has(host)) addresses.delete(host);
    await Promise.all([...hosts].map(look));
  };
  await lookAtAll();
  const timer = setInterval(() => void lookAtAll(), everyMs).unref();
  return {
    listeners: () =>
      urls()
        .flatMap(placesOf)
        .flatMap(({ host, port, amongSites }) => {
          // A node that has just come: where its name leads is asked for once, not at each connection.
          if (!addresses.has(host)) void look(host);
          return (addresses.get(host) ?? [])
            .filter((address) => !(amongSites && isPublic(address)))
            .map((address) => ({ host: address, port }));
        }),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** One that needs no name server. */
const literal = (host: string): string[] => (isLocalhost(host) ? ['localhost'] : isIP(host) ? [host] : []);

/**
 * `postgres://user:password@a:1,b:2/name` names two, and `?host=` beats what stands before; one that is reached over a
 * socket file names none.
 */
function placesIn(url: string): Place[] {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*):\/\/(?:[^@/]*@)?([^/?#]*)/i.exec(url) ?? [];
  const instead = new URLSearchParams(url.split('?')[1] ?? '').get('host');
  return (instead ?? authority)
    .split(',')
    .map((place) => /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(place))
    .filter((match) => match?.[1])
    .map((match) => ({
      host: decodeURIComponent(match?.[1] ?? '').replaceAll(/[[\]]/g, ''),
      port: Number(match?.[2] ?? usualPorts[scheme.toLowerCase()] ?? 0),
      amongSites: /^https?$/i.test(scheme),
    }))
    .filter(({ host, port }) => port > 0 && !host.startsWith('/'));
}
