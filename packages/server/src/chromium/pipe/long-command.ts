/**
 * A long message of a client: checked in steps, and its parameters left as the bytes that came. Parsing and writing anew
 * 50 MB takes half a second, which belongs to all projects, and three times the memory.
 */
import { isUtf8 } from 'node:buffer';
import { type Member, membersOf } from '../../kit/json-members.ts';
import { deepest, invalid, mostValues, notJson, type Refused } from './command.ts';

export interface LongCommand {
  id: number;
  method: string;
  /** An object, as JSON. */
  params: Buffer;
  sessionId: string | undefined;
}

/** Everything that means something but the parameters is shorter. */
const longestValue = 1000;
/** Four mean something. */
const mostMembers = 200;
const quote = '"'.charCodeAt(0);

export function* readLongCommand(message: Buffer): Generator<undefined, { command: LongCommand } | Refused> {
  if (!isUtf8(message)) return notJson;
  yield;
  const found = yield* membersOf(message, { depth: deepest, values: mostValues, members: mostMembers });
  if (found === 'heavy') return invalid('Message has too many values');
  if (found === 'deep') return invalid('Message is nested too deeply');
  if (found === 'malformed') return notJson;
  return commandOf(message, found);
}

function commandOf(message: Buffer, members: Member[]): { command: LongCommand } | Refused {
  // The last one of a name counts, as it does where a message is parsed.
  const bytesOf = (name: string): Buffer | undefined => {
    const member = members.findLast((each) => each.name === name);
    return member && message.subarray(member.start, member.end);
  };
  const shortOf = (name: string): unknown => {
    const bytes = bytesOf(name);
    if (!bytes || bytes.length <= longestValue) return bytes && (JSON.parse(bytes.toString()) as unknown);
    // A name that is known to nothing, and stays so when it is cut.
    return bytes[0] === quote ? bytes.toString('latin1', 1, longestValue) : undefined;
  };
  const [id, method, sessionId] = [shortOf('id'), shortOf('method'), shortOf('sessionId')];
  if (!Number.isSafeInteger(id)) return invalid("Message must have integer 'id' property");
  const known = id as number;
  if (typeof method !== 'string') return invalid("Message must have string 'method' property", known);
  if (bytesOf('sessionId') !== undefined && typeof sessionId !== 'string')
    return invalid("Message may have string 'sessionId' property", known);
  const params = bytesOf('params') ?? Buffer.from('{}');
  if (params[0] !== '{'.charCodeAt(0)) return invalid("Message may have object 'params' property", known);
  return { command: { id: known, method, params, sessionId: sessionId as string | undefined } };
}
