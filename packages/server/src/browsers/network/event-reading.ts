/**
 * Reading Chromium's events about requests without being held up by them. A page decides how long they are: an address
 * may be a whole file, a WebSocket frame the size of a film. So the id is read off the head of the bytes, a message of
 * usual size is parsed, and of a longer one only what stands at known places is taken.
 *
 * A page can put any text into values, but there its quotes are escaped: marks like `"request":{"url":"` are Chromium's.
 */
import type { Protocol } from 'devtools-protocol';
import { longestAddress } from './logged-request.ts';

const longestParsed = 256 * 1024;
const longestId = 200;
const idMark = '"params":{"requestId":"';
/** The name of an event stands before it. */
const idWithin = 120;

export function requestIdIn(message: Buffer): string | undefined {
  const head = message.toString('latin1', 0, idWithin + longestId);
  const at = head.indexOf(idMark);
  if (at < 0) return undefined;
  const start = at + idMark.length;
  const end = head.indexOf('"', start);
  return end < 0 ? undefined : head.slice(start, end);
}

/** Undefined: it is too long to be parsed. */
export function paramsOf<T>(message: Buffer): T | undefined {
  if (message.length > longestParsed) return undefined;
  return (JSON.parse(message.toString('utf8')) as { params: T }).params;
}

const addressMark = '"request":{"url":"';

/** Nothing of it is asked of the network, and its address is the file itself. */
export function isInline(message: Buffer): boolean {
  const at = message.indexOf(addressMark);
  return (
    at >= 0 && message.toString('latin1', at + addressMark.length, at + addressMark.length + 5) === 'data:'
  );
}

const textAt = (message: Buffer, start: number, most: number): string => {
  const text = message.toString('utf8', start, start + most);
  const end = text.search(/(?<!\\)"/);
  return end < 0 ? text : text.slice(0, end);
};

const behind = (message: Buffer, mark: string, from = 0): string | undefined => {
  const at = message.indexOf(mark, from);
  return at < 0 ? undefined : textAt(message, at + mark.length, 100);
};

/** The last of them: what a page decides stands before. */
const lastBehind = (message: Buffer, mark: string): string | undefined => {
  const at = message.lastIndexOf(mark);
  return at < 0 ? undefined : textAt(message, at + mark.length, 100);
};

export type SentEvent = Pick<
  Protocol.Network.RequestWillBeSentEvent,
  'loaderId' | 'timestamp' | 'wallTime' | 'type' | 'frameId' | 'redirectResponse'
> & {
  initiator?: Protocol.Network.Initiator;
  request: Pick<Protocol.Network.Request, 'url' | 'method' | 'headers' | 'hasPostData'>;
  /** Only what stands at known places was read. */
  inPart?: boolean;
};

/** A request that is about to be sent; of a long message, its address and its place in time. */
export function readSent(message: Buffer): SentEvent | undefined {
  const parsed = paramsOf<Protocol.Network.RequestWillBeSentEvent>(message);
  if (parsed) return parsed;
  const at = message.indexOf(addressMark);
  if (at < 0) return undefined;
  const start = at + addressMark.length;
  const tail = message.subarray(Math.max(0, message.lastIndexOf('"initiator":')));
  const before = message.toString(
    'latin1',
    Math.max(0, message.length - tail.length - 200),
    message.length - tail.length,
  );
  const [, timestamp = '0', wallTime = String(Date.now() / 1000)] =
    /"timestamp":([\d.]+),"wallTime":([\d.]+)/.exec(before) ?? [];
  return {
    loaderId: behind(message, '"loaderId":"') ?? '',
    timestamp: Number(timestamp),
    wallTime: Number(wallTime),
    type: lastBehind(tail, '"type":"') as Protocol.Network.ResourceType | undefined,
    frameId: lastBehind(tail, '"frameId":"'),
    request: {
      url: textAt(message, start, longestAddress),
      method: behind(message, '","method":"', start) ?? 'GET',
      headers: {},
    },
    inPart: true,
  };
}

/** An answer; of a long message, its status and type. */
export function readAnswer(message: Buffer): Protocol.Network.ResponseReceivedEvent | undefined {
  const parsed = paramsOf<Protocol.Network.ResponseReceivedEvent>(message);
  if (parsed) return parsed;
  const at = message.indexOf(',"status":', message.indexOf('"response":{"url":"'));
  const [, status = '0'] = /^,"status":(\d+)/.exec(message.toString('latin1', at, at + 30)) ?? [];
  const mimeType = behind(message, '"mimeType":"', Math.max(at, 0)) ?? '';
  const response = { url: '', status: Number(status), statusText: '', headers: {}, mimeType };
  return { timestamp: 0, response } as unknown as Protocol.Network.ResponseReceivedEvent;
}

/** The bytes of a WebSocket frame's content, about; nothing of it is parsed. */
export function frameBytes(message: Buffer): number {
  const mark = '"payloadData":"';
  const start = message.indexOf(mark);
  if (start < 0) return 0;
  const end = message.lastIndexOf('"}}');
  const length = Math.max(0, end - start - mark.length);
  if (message.subarray(0, start).includes('"opcode":1,')) return length;
  const [padding = ''] = /=*$/.exec(message.toString('latin1', Math.max(start, end - 2), end)) ?? [];
  return Math.floor((length * 3) / 4) - padding.length;
}
