/**
 * The system's name resolution (hosts file included). A page opens several connections to a host at once, so concurrent
 * lookups share an answer, which is kept for a moment; every use of it is checked against the policy.
 */
import { lookup } from 'node:dns/promises';

export type Resolve = (host: string) => Promise<string[]>;

const keptMs = 5000;
const keptMost = 1000;
const answers = new Map<string, { addresses: Promise<string[]>; until: number }>();

async function ask(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map((entry) => entry.address);
}

export const resolveBySystem: Resolve = (host) => {
  const known = answers.get(host);
  if (known !== undefined && known.until > Date.now()) return known.addresses;
  answers.delete(host);
  const answer = { addresses: ask(host), until: Number.POSITIVE_INFINITY };
  answers.set(host, answer);
  for (const oldest of answers.keys()) {
    if (answers.size <= keptMost) break;
    answers.delete(oldest);
  }
  answer.addresses.then(
    () => {
      answer.until = Date.now() + keptMs;
    },
    () => {
      if (answers.get(host) === answer) answers.delete(host);
    },
  );
  return answer.addresses;
};
