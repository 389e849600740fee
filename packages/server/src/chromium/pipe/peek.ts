/**
 * Where a message of Chromium goes, read off its two ends, so that 64 MiB of screenshot need no parsing:
 *
 *   {"id":1000000007,"result":{…},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}
 *   {"method":"Page.frameNavigated","params":{…},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}
 *
 * A page can put any text into values, but not at the ends: the first key is Chromium's, and in well-formed JSON the
 * bytes `,"sessionId":"…"}` at the very end cannot lie inside a string (their quotes would be escaped) nor deeper than
 * the outermost object (more braces would follow). What looks otherwise is left to a full parse.
 */

/** Ids from here on belong to clients. All have ten digits and fit Chromium's 32 bits. */
export const firstRelayId = 1_000_000_000;
export const lastRelayId = 2_147_483_647;
export const idStart = '{"id":'.length;
export const relayIdDigits = 10;

const idHead = Buffer.from('{"id":');
const methodHead = Buffer.from('{"method":"');
const paramsMark = Buffer.from('","params":{');
const sessionMark = Buffer.from(',"sessionId":"');
const tailEnd = Buffer.from('"}');
const sessionIdLength = 32;
export const sessionTailLength = sessionMark.length + sessionIdLength + tailEnd.length;
const longestMethod = 80;

const zero = '0'.charCodeAt(0);
const comma = ','.charCodeAt(0);

const has = (message: Buffer, mark: Buffer, at: number): boolean =>
  at >= 0 && at + mark.length <= message.length && mark.compare(message, at, at + mark.length) === 0;

/** The id of an answer to a client's command. */
export function peekRelayId(message: Buffer): number | undefined {
  if (!has(message, idHead, 0) || message[idStart + relayIdDigits] !== comma) return undefined;
  let id = 0;
  for (let at = idStart; at < idStart + relayIdDigits; at++) {
    const digit = (message[at] ?? 0) - zero;
    if (digit < 0 || digit > 9) return undefined;
    id = id * 10 + digit;
  }
  return id >= firstRelayId ? id : undefined;
}

/** The name of an event. */
export function peekMethod(message: Buffer): string | undefined {
  if (!has(message, methodHead, 0)) return undefined;
  const end = message.subarray(0, methodHead.length + longestMethod).indexOf('"', methodHead.length);
  if (!has(message, paramsMark, end)) return undefined;
  const method = message.toString('latin1', methodHead.length, end);
  return /^[A-Za-z]+\.[A-Za-z]+$/.test(method) ? method : undefined;
}

/** The session it was said under. */
export function peekSession(message: Buffer): string | undefined {
  const tail = message.length - sessionTailLength;
  if (!has(message, sessionMark, tail) || !has(message, tailEnd, message.length - tailEnd.length))
    return undefined;
  const start = tail + sessionMark.length;
  const sessionId = message.toString('latin1', start, start + sessionIdLength);
  return /^[0-9A-F]{32}$/.test(sessionId) ? sessionId : undefined;
}
