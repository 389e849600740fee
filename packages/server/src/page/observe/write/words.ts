/**
 * One node in one line: `role "name" [ref=e12] [state] [note="…"]: what it holds`. Names and notes are quoted, and so is a text
 * that could be taken for more than a text, so that no page can write a line or a reference of its own.
 */
import type { SeenNode } from '../../inside/inside.ts';
import { squeezed } from './condense.ts';

export interface Wording {
  /** Addresses of links and frames. */
  urls?: boolean;
  /** Where each thing lies. */
  boxes?: boolean;
  /** Where drawings lie, and where the view ends: not in what is compared with another time, because scrolling is no change. */
  places?: boolean;
}

const longestNote = 200;
const longestUrl = 500;

/** A part of the page that a caller may want alone. */
const parts = new Set([
  ...['banner', 'navigation', 'main', 'contentinfo', 'complementary', 'region', 'search', 'form', 'feed'],
  ...['dialog', 'alertdialog', 'iframe', 'frame', 'tabpanel', 'table', 'grid', 'treegrid'],
]);
/** Only its look tells what it is, so its place is told. */
const drawn = new Set(['canvas', 'svg']);

export const isPart = ({ role }: Pick<SeenNode, 'role'>): boolean => parts.has(role);

const shown = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;

const quoted = (text: string): string => JSON.stringify(squeezed(text));

/** Plain where it cannot be mistaken. */
export function plain(text: string): string {
  const words = squeezed(text);
  return /^["|]|\[ref=|^-{3}/.test(words) ? JSON.stringify(words) : words;
}

/** All but what stands behind the colon. */
export function headOf(node: SeenNode, { urls, boxes, places }: Wording = {}, { name = true } = {}): string {
  const { role, level, ref, states = [], box } = node;
  const wantsRef =
    node.interactive || node.marked || parts.has(role) || drawn.has(role) || states.includes('scrollable');
  return [
    role,
    name && node.name && quoted(node.name),
    wantsRef && ref && `[ref=${ref}]`,
    level !== undefined && `[level=${level}]`,
    ...states.map((state) => `[${state}]`),
    ...notesOf(node, urls === true),
    box && (boxes || (places && drawn.has(role))) && `[box=${box.join(',')}]`,
  ]
    .filter(Boolean)
    .join(' ');
}

function notesOf({ notes = {}, name = '', interactive, role }: SeenNode, urls: boolean): string[] {
  const said: string[] = [];
  for (const [note, text] of Object.entries(notes)) {
    const words = squeezed(text);
    if (
      note === 'cursor' ||
      words === '' ||
      (note !== 'url' && name.toLowerCase().includes(words.toLowerCase()))
    )
      continue;
    // A link without a name has nothing else to be known by.
    if (note === 'url' && !urls && !(interactive && name === '' && role === 'link')) continue;
    said.push(`[${note}=${quoted(shown(words, note === 'url' ? longestUrl : longestNote))}]`);
  }
  return said;
}
