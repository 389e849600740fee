/**
 * Turns Chromium's message into the client's, in place: the client's id is written over ours (JSON allows the blanks
 * before it), and the session is cut off at the end when it is the client's own browser session.
 */
import { idStart, relayIdDigits, sessionTailLength } from './peek.ts';

const smallMessage = 32 * 1024;
const closingBrace = '}'.charCodeAt(0);

/**
 * A message is a piece of a larger read from the pipe. A client that is slow to take many small ones must not hold all
 * of those reads in memory.
 */
export const ownBytes = (message: Buffer): Buffer =>
  message.length < smallMessage ? Buffer.from(message) : message;

export function withId(answer: Buffer, id: number): Buffer {
  const text = String(id);
  if (text.length > relayIdDigits)
    return Buffer.concat([Buffer.from(`{"id":${text}`), answer.subarray(idStart + relayIdDigits)]);
  answer.write(text.padStart(relayIdDigits, ' '), idStart, 'latin1');
  return answer;
}

/** The message must end with a session, see `peekSession`. */
export function withoutSession(message: Buffer): Buffer {
  const end = message.length - sessionTailLength;
  message[end] = closingBrace;
  return message.subarray(0, end + 1);
}

/** A message around parameters that are JSON already. */
export const partsOf = (message: {
  id: number;
  method: string;
  params: Buffer;
  sessionId: string;
}): Buffer[] => [
  Buffer.from(`{"id":${message.id},"method":${JSON.stringify(message.method)},"params":`),
  message.params,
  Buffer.from(`,"sessionId":${JSON.stringify(message.sessionId)}}\0`),
];
