import { expect, test } from 'vitest';
import { MessageReader, MessageTooLargeError } from './message-reader.ts';
import { withoutBody } from './paused-request.ts';

const paused = (postData: string, more: object = {}, session?: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      method: 'Fetch.requestPaused',
      params: {
        requestId: 'interception-job-1.0',
        request: {
          url: 'https://a.example/',
          method: 'POST',
          headers: { postData: '},"postData":"', ...more },
          postData,
          hasPostData: true,
          postDataEntries: [{ bytes: Buffer.from(postData).toString('base64') }],
          initialPriority: 'High',
          referrerPolicy: 'no-referrer',
        },
        frameId: 'F',
        resourceType: 'XHR',
        networkId: '1.2',
      },
      sessionId: session,
    }),
  );

test('all but what the page sends is kept, whatever the page writes', () => {
  const short = withoutBody(
    paused('"},"postData":"x",\\"initialPriority":"', { 'X-Odd': ',"initialPriority":"' }),
  );
  expect(JSON.parse(String(short)).params).toEqual({
    requestId: 'interception-job-1.0',
    request: {
      url: 'https://a.example/',
      method: 'POST',
      headers: { postData: '},"postData":"', 'X-Odd': ',"initialPriority":"' },
      initialPriority: 'High',
      referrerPolicy: 'no-referrer',
    },
    frameId: 'F',
    resourceType: 'XHR',
    networkId: '1.2',
  });
});

const read = (reader: MessageReader, bytes: Buffer): Buffer[] => {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536)
    found.push(...reader.read(bytes.subarray(at, at + 65_536)));
  return found;
};
const end = Buffer.from('\0');
const large = 'x'.repeat(6 * 1024 ** 2);

test('one that is larger than the limit comes without its body, and the next message as it is', () => {
  const reader = new MessageReader(5 * 1024 ** 2);
  const [first, second] = read(reader, Buffer.concat([paused(large), end, Buffer.from('{"id":1}'), end]));
  expect(JSON.parse(String(first)).params.frameId).toBe('F');
  expect(String(second)).toBe('{"id":1}');
});

test('a client gets all of it or nothing', () => {
  const reader = new MessageReader(5 * 1024 ** 2);
  const message = paused(large, {}, '0123456789ABCDEF0123456789ABCDEF');
  expect(() => read(reader, Buffer.concat([message, end]))).toThrow(MessageTooLargeError);
});
