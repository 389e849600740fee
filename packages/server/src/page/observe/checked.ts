/**
 * What a page says of itself is checked, though it comes from a world of the service's own: the process is the page's. Written by
 * hand, because a tree has thousands of nodes and the loop is shared.
 */
import type { ReadDocument, SeenNode } from '../inside/inside.ts';
import { isRef } from './tab-refs.ts';

const mostChars = 8_000_000;
const mostNodes = 20_000;
const deepest = 100;

class StrangeAnswerError extends Error {
  constructor() {
    super('The page gave an answer that its program does not give.');
  }
}

export interface CheckedDocument {
  read: ReadDocument;
  /** The elements of frames, by their references. */
  frames: Map<string, SeenNode>;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => Number.isFinite(value);

export function checkedAnswer(said: unknown): CheckedDocument | { missing: true } | { wrong: string } {
  if (!isText(said) || said.length > mostChars) throw new StrangeAnswerError();
  const answer: unknown = JSON.parse(said);
  if (!isFields(answer)) throw new StrangeAnswerError();
  if (answer.missing === true) return { missing: true };
  if (isText(answer.wrong)) return { wrong: answer.wrong.slice(0, 500) };
  return new Check().document(answer);
}

class Check {
  readonly #frames = new Map<string, SeenNode>();
  #nodes = 0;

  document(said: Fields): CheckedDocument {
    const { scroll, viewport, title, prefix, last, frames, root, cut } = said;
    if (!isText(title) || !isText(prefix) || !isNumber(last) || !isFields(root))
      throw new StrangeAnswerError();
    const read: ReadDocument = {
      root: this.#node(root, 0),
      scroll: numbers(scroll, ['x', 'y', 'maxX', 'maxY']),
      viewport: numbers(viewport, ['width', 'height']),
      title,
      prefix,
      last,
      frames: list(frames).map((frame) => ({
        ref: isFields(frame) && isText(frame.ref) ? frame.ref : '',
        ...numbers(frame, ['x', 'y', 'width', 'height']),
      })),
      ...(cut === true && { cut: true }),
    };
    return { read, frames: this.#frames };
  }

  #node(said: Fields, depth: number): SeenNode {
    if (!isText(said.role) || ++this.#nodes > mostNodes || depth > deepest) throw new StrangeAnswerError();
    const { role, name, ref, value, states, notes, level, box, place } = said;
    const node: SeenNode = { role, children: [] };
    if (isText(name)) node.name = name;
    if (isText(ref) && isRef(ref)) node.ref = ref;
    if (isText(value)) node.value = value;
    if (states !== undefined) node.states = list(states).filter(isText);
    if (isFields(notes))
      node.notes = Object.fromEntries(
        Object.entries(notes).filter((note): note is [string, string] => isText(note[1])),
      );
    if (isNumber(level)) node.level = level;
    if (isBox(box)) node.box = box;
    if (said.interactive === true) node.interactive = true;
    if (said.inView === true) node.inView = true;
    if (said.marked === true) node.marked = true;
    if (isText(place)) node.place = place as SeenNode['place'];
    if (role === 'iframe' && node.ref) this.#frames.set(node.ref, node);
    for (const child of list(said.children))
      if (isText(child)) node.children.push(child);
      else if (isFields(child)) node.children.push(this.#node(child, depth + 1));
    return node;
  }
}

const list = (said: unknown): unknown[] => (Array.isArray(said) ? said : []);

const isBox = (said: unknown): said is [number, number, number, number] =>
  Array.isArray(said) && said.length === 4 && said.every(isNumber);

function numbers<Name extends string>(said: unknown, names: Name[]): Record<Name, number> {
  const fields: Fields = isFields(said) ? said : {};
  return Object.fromEntries(names.map((name) => [name, isNumber(fields[name]) ? fields[name] : 0])) as Record<
    Name,
    number
  >;
}
