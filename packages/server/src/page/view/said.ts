/**
 * Reads what a viewer said. Nothing is longer than 64 KiB but text that is typed at once or pasted: that is looked at in steps before
 * anything of it is parsed. Who only watches has nothing to say but that a picture was drawn, so the rest is refused unread.
 */
import { isUtf8 } from 'node:buffer';
import { membersOf } from '../../kit/json-members.ts';
import { valueInSteps } from '../../kit/json-value.ts';
import { type ViewerMessage, viewerMessage } from './messages.ts';

export interface Unreadable {
  refusal: string;
}

export const onlyWatches = 'This address is for watching only. Ask for one with `mode: control`.';

/** Of every message but the texts: most are a few hundred bytes, the largest a choice of five thousand options. */
const longestUsual = 64 * 1024;
const longestOfWatcher = 1024;

const notJson: Unreadable = { refusal: 'The message is no JSON.' };
const tooLong: Unreadable = {
  refusal: 'The message is too long: only `text` and `paste` take more than 64 KiB.',
};

export const isLong = (message: Buffer): boolean => message.length > longestUsual;

export const isTooLongToWatch = (message: Buffer): boolean => message.length > longestOfWatcher;

export function readUsual(message: Buffer): ViewerMessage | Unreadable {
  try {
    return checked(JSON.parse(message.toString()));
  } catch {
    return notJson;
  }
}

export function* readLong(message: Buffer): Generator<undefined, ViewerMessage | Unreadable> {
  if (!isUtf8(message)) return notJson;
  yield;
  // The message itself, its type and its text.
  const members = yield* membersOf(message, { depth: 1, values: 3 });
  if (members === 'malformed') return notJson;
  if (typeof members === 'string') return tooLong;
  const said: [string, unknown][] = [];
  for (const { name, start, end } of members)
    said.push([name, yield* valueInSteps(message.subarray(start, end))]);
  const parsed = Object.fromEntries(said);
  return parsed.type === 'text' || parsed.type === 'paste' ? checked(parsed) : tooLong;
}

function checked(parsed: unknown): ViewerMessage | Unreadable {
  const read = viewerMessage.safeParse(parsed);
  if (read.success) return read.data;
  const { path = [], message = '' } = read.error.issues[0] ?? {};
  return { refusal: `The message cannot be read: ${path.join('.')} ${message}` };
}
