/** What the machine's own files say about names: /etc/hosts, and the search list of /etc/resolv.conf. */
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

interface Search {
  domains: string[];
  ndots: number;
}

/** Read again when the file has changed; one that cannot be read is empty. */
function watched<T>(path: string, read: (text: string) => T): () => T {
  let stamp: string | undefined;
  let value = read('');
  return () => {
    try {
      const { mtimeMs, size, ino } = statSync(path);
      const now = `${mtimeMs} ${size} ${ino}`;
      if (now !== stamp) {
        value = read(readFileSync(path, 'utf8'));
        stamp = now;
      }
    } catch {
      stamp = undefined;
      value = read('');
    }
    return value;
  };
}

const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.replace(/[#;].*/, '').trim())
    .filter((line) => line.length > 0)
    .map((line) => line.split(/\s+/));

export function readHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of linesOf(text)) {
    if (isIP(address.replace(/%.*/, '')) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase()))
      hosts.set(name, [...(hosts.get(name) ?? []), address]);
  }
  return hosts;
}

export function readSearch(text: string): Search {
  const search: Search = { domains: [], ndots: 1 };
  for (const [word, ...rest] of linesOf(text)) {
    // The last of them counts.
    if (word === 'search' || word === 'domain') search.domains = rest.map((name) => name.replace(/\.$/, ''));
    const dots = word === 'options' && rest.map((option) => /^ndots:(\d+)$/.exec(option)?.[1]).find(Boolean);
    if (dots) search.ndots = Number(dots);
  }
  return search;
}

const hostsFile = watched('/etc/hosts', readHosts);
const resolverFile = watched('/etc/resolv.conf', readSearch);

export const writtenAddresses = (host: string): string[] | undefined => hostsFile().get(host);

/** `db` as `db.default.svc.cluster.local`, …, and as it stands: the names to ask for, in order, as the system would. */
export function searchNames(host: string, { domains, ndots }: Search = resolverFile()): string[] {
  const dots = host.split('.').length - 1;
  const extended = domains.filter((domain) => domain.length > 0).map((domain) => `${host}.${domain}`);
  return dots >= ndots ? [host, ...extended] : [...extended, host];
}
