/**
 * The tree of commands as tables in the language of a shell. A script looks up, for the command that was typed so far:
 *
 *   words, aliases   the commands below it
 *   flags            its options
 *   valued           those that take a value, which is no command
 *   takes            what its arguments are: one kind for each, `…` where the last is repeated
 *
 * and for an option what its value is: words, `@list` and words, `@browser`, `@file`, or nothing.
 */
import type { Node, Offer } from './nodes.ts';

export interface Row {
  paths: string[];
  words: string;
  aliases: string;
  flags: string;
  valued: string;
  takes: string;
}

export interface ValueRow {
  /** `browsers create:--engine` */
  keys: string[];
  offer: string;
}

const textOf = ({ kind, words }: Offer): string =>
  kind === 'words'
    ? words.join(' ')
    : kind === 'list'
      ? `@list ${words.join(' ')}`
      : kind === 'none'
        ? ''
        : `@${kind}`;

/** One word for each argument, since a list of them is split at blanks. */
const taken = ({ takes, takesMany }: Node): string =>
  [
    ...takes.map(({ kind, words }) => (kind === 'words' ? words.join(',') : `@${kind}`)),
    ...(takesMany ? ['@more'] : []),
  ].join(' ');

export const rowsOf = (nodes: Node[]): Row[] =>
  nodes.map((node) => ({
    paths: [node.path, ...node.otherPaths],
    words: node.words.join(' '),
    aliases: node.aliases.join(' '),
    flags: node.flags.join(' '),
    valued: ` ${node.values.map(([flag]) => flag).join(' ')} `,
    takes: taken(node),
  }));

/** Only those that have something to offer; by the canonical path. */
export function valueRowsOf(nodes: Node[]): ValueRow[] {
  const keysOf = new Map<string, string[]>();
  for (const { path, values } of nodes)
    for (const [flag, offer] of values) {
      const text = textOf(offer);
      if (text) keysOf.set(text, [...(keysOf.get(text) ?? []), `${path}:${flag}`]);
    }
  return [...keysOf].map(([offer, keys]) => ({ keys, offer }));
}

export const knownPaths = (nodes: Node[]): string[] =>
  nodes.flatMap(({ path, otherPaths }) => [path, ...otherPaths]).filter(Boolean);
