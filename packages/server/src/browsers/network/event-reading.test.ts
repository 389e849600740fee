import { expect, test } from 'vitest';
import { frameBytes, isInline, readAnswer, readSent, requestIdIn } from './event-reading.ts';

const session = ',"sessionId":"0123456789ABCDEF0123456789ABCDEF"}';
const event = (name: string, params: object): Buffer =>
  Buffer.from(`{"method":"Network.${name}","params":${JSON.stringify(params)}${session}`);
const sent = (url: string) =>
  event('requestWillBeSent', {
    requestId: '12.34',
    loaderId: 'L',
    documentURL: 'https://a.example/',
    request: { url, method: 'POST', headers: { a: '1' }, hasPostData: true },
    timestamp: 12.5,
    wallTime: 1_700_000_000.25,
    initiator: { type: 'script' },
    type: 'Fetch',
    frameId: 'F',
  });

test('the id is read off the head, and nowhere else', () => {
  expect(requestIdIn(sent('https://a.example/'))).toBe('12.34');
  expect(requestIdIn(event('x', { other: '"params":{"requestId":"fake"' }))).toBeUndefined();
});

test('of a message of any length the same is known: address, method, type, times', () => {
  const short = readSent(sent('https://a.example/x'));
  const long = readSent(sent(`https://a.example/${'x'.repeat(2e6)}`));
  expect(short).toMatchObject({ request: { url: 'https://a.example/x', method: 'POST' }, type: 'Fetch' });
  expect(long).toMatchObject({
    loaderId: 'L',
    timestamp: 12.5,
    wallTime: 1_700_000_000.25,
    type: 'Fetch',
    frameId: 'F',
    request: { method: 'POST' },
    inPart: true,
  });
  expect(long?.request.url).toHaveLength(4096);
});

test('of a long answer the status and the type are known', () => {
  const headers = { a: 'x'.repeat(1e6) };
  const response = { url: 'https://a.example/', status: 404, statusText: '', headers, mimeType: 'text/css' };
  const answer = readAnswer(event('responseReceived', { requestId: '1', response, timestamp: 1 }));
  expect(answer?.response).toMatchObject({ status: 404, mimeType: 'text/css' });
});

test('addresses that are whole files are recognised unread', () => {
  expect(isInline(sent(`data:text/plain,${'x'.repeat(1e6)}`))).toBe(true);
  expect(isInline(sent('https://a.example/?data:'))).toBe(false);
});

test('the size of a WebSocket frame is that of its content', () => {
  const frame = (opcode: number, payloadData: string): number =>
    frameBytes(
      event('webSocketFrameSent', {
        requestId: '1',
        timestamp: 1,
        response: { opcode, mask: true, payloadData },
      }),
    );
  expect(frame(1, 'hello')).toBe(5);
  expect(frame(2, Buffer.from('hello').toString('base64'))).toBe(5);
});
