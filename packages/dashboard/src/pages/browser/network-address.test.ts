import { expect, test } from 'vitest';
import { type RequestsView, requestsAddress, requestsViewOf } from './network-address.ts';

const searchOf = (address: string): string => address.slice(address.indexOf('?'));

test('what is to be seen of the log comes out of an address as it went in', () => {
  const view: RequestsView = {
    kind: 'fetch',
    status: '4xx',
    host: 'api.example.com',
    failed: true,
    tab: 'ABC',
    since: '2026-01-01T12:00:00.000Z',
    request: 'request_1',
  };
  expect(requestsViewOf(searchOf(requestsAddress('browser_1', view)))).toEqual(view);
  expect(requestsAddress('browser_1', {})).toBe('/app/browsers/browser_1?view=network');
});

test('an address that was tampered with loses what does not fit, and nothing else', () => {
  const found = requestsViewOf('?type=constructor&status=9xx&failed=yes&since=soon&tab=&host=a.test');
  expect(JSON.parse(JSON.stringify(found))).toEqual({ host: 'a.test' });
  expect(requestsViewOf(`?host=${'a'.repeat(300)}`).host).toBeUndefined();
});
