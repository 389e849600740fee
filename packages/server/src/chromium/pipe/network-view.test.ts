import { describe, expect, test } from 'vitest';
import { openPipe, sessionName, settled } from './mux-pipe.fixture.ts';
import { NetworkView, type OutcomeOf } from './network-view.ts';

const child = sessionName(0xabc);
const address = { ip: '93.184.215.14', port: 443 };
const outcomes: Record<string, ReturnType<OutcomeOf>> = {
  'https://site.test': { address },
  'https://closed.test': { netError: 'ERR_CONNECTION_REFUSED' },
  'http://closed.test': { netError: 'ERR_CONNECTION_REFUSED' },
  'wss://closed.test': { netError: 'ERR_CONNECTION_REFUSED' },
  'http://six.test': { address: { ip: '::1', port: 8080 } },
};
const outcomeOf: OutcomeOf = (url) => outcomes[/^\w+:\/\/[^/]+/.exec(url)?.[0] ?? ''];

const toldBy = (view: NetworkView, method: string, params: object): { params: never } =>
  JSON.parse(
    view.event(method, Buffer.from(JSON.stringify({ method, params, sessionId: child }))).toString(),
  );

const exitAddress = { remoteIPAddress: '127.0.0.1', remotePort: 3128 };
const response = (url: string, more: object = {}) => ({
  requestId: '7.1',
  loaderId: 'L',
  response: { url, headers: {}, connectionId: 9, ...exitAddress, fromDiskCache: false, ...more },
});

describe('the address of an answer', () => {
  const told = (url: string, more?: object) =>
    toldBy(new NetworkView(outcomeOf), 'Network.responseReceived', response(url, more)).params as unknown as {
      response: { remoteIPAddress?: string; remotePort?: number; headers: object };
    };

  test('is the one that the exit dialled', () => {
    const seen = told('https://site.test/path?q');
    expect(seen).toEqual(
      response('https://site.test/path?q', { remoteIPAddress: '93.184.215.14', remotePort: 443 }),
    );
  });

  test('is written as Chromium writes it', () => {
    expect(told('http://six.test/').response).toMatchObject({ remoteIPAddress: '[::1]', remotePort: 8080 });
  });

  test('is left out where it is not known', () => {
    const { response: seen } = told('https://forgotten.test/');
    expect(Object.keys(seen)).toEqual(['url', 'headers', 'connectionId', 'fromDiskCache']);
  });

  test('is told for the answer that led to another request, too', () => {
    const seen = toldBy(new NetworkView(outcomeOf), 'Network.requestWillBeSent', {
      requestId: '7.1',
      documentURL: 'https://site.test/',
      request: { url: 'http://six.test/' },
      redirectResponse: response('https://site.test/').response,
      type: 'Document',
    }).params as { redirectResponse: object };
    expect(seen.redirectResponse).toMatchObject({ remoteIPAddress: '93.184.215.14', remotePort: 443 });
  });

  test('cannot be made up by a site with headers of such names', () => {
    const headers = { x: 'y', remoteIPAddress: '127.0.0.1","remotePort":3128', remotePort: '3128' };
    const { response: seen } = told('https://site.test/', { headers });
    expect(seen).toMatchObject({ headers, remoteIPAddress: '93.184.215.14', remotePort: 443 });
  });
});

describe('the name of a failure', () => {
  const begin = (view: NetworkView, requestId: string, url: string) =>
    toldBy(view, 'Network.requestWillBeSent', { requestId, documentURL: 'x', request: { url } });
  const failure = (requestId: string, errorText: string) => ({
    requestId,
    timestamp: 1,
    type: 'Fetch',
    errorText,
    canceled: false,
  });

  test.each([
    ['https://closed.test/', 'ERR_TUNNEL_CONNECTION_FAILED', 'ERR_CONNECTION_REFUSED'],
    ['http://closed.test/', 'ERR_EMPTY_RESPONSE', 'ERR_CONNECTION_REFUSED'],
    // said of the site, inside the tunnel
    ['https://closed.test/', 'ERR_EMPTY_RESPONSE', 'ERR_EMPTY_RESPONSE'],
    ['https://closed.test/', 'ERR_ABORTED', 'ERR_ABORTED'],
    // refused by the policy
    ['https://site.test/', 'ERR_TUNNEL_CONNECTION_FAILED', 'ERR_TUNNEL_CONNECTION_FAILED'],
  ])('of %s that Chromium calls %s is %s', (url, said, known) => {
    const view = new NetworkView(outcomeOf);
    begin(view, '7.1', url);
    const seen = toldBy(view, 'Network.loadingFailed', failure('7.1', `net::${said}`));
    expect(seen.params).toEqual(failure('7.1', `net::${known}`));
  });

  test('follows a request to where it was redirected, up to the answer of the command', () => {
    const view = new NetworkView(outcomeOf);
    begin(view, 'L1', 'https://site.test/');
    begin(view, 'L1', 'https://closed.test/');
    const answer = (errorText: string) =>
      JSON.stringify({ id: 1, result: { frameId: 'F', loaderId: 'L1', errorText } });
    const said = Buffer.from(answer('net::ERR_TUNNEL_CONNECTION_FAILED'));
    expect(view.arrival(said, 'https://site.test/').toString()).toBe(answer('net::ERR_CONNECTION_REFUSED'));
    expect(view.arrival(said, undefined)).toBe(said);
  });

  test('is the client’s own where it ended the request itself, up to the answer of the command', () => {
    const view = new NetworkView(outcomeOf);
    for (const [requestId, heldId] of [
      ['L1', 'interception-job-1.0'],
      ['L2', 'interception-job-2.0'],
    ] as const) {
      begin(view, requestId, 'http://closed.test/');
      const headers = { networkId: 'made up by a page' };
      const request = { url: 'http://closed.test/', headers };
      toldBy(view, 'Fetch.requestPaused', { requestId: heldId, request, networkId: requestId });
    }
    view.ended('interception-job-1.0');
    const told = ['L1', 'L2'].map((id) =>
      toldBy(view, 'Network.loadingFailed', failure(id, 'net::ERR_CONNECTION_RESET')),
    );
    expect(told.map(({ params }) => params)).toMatchObject([
      { errorText: 'net::ERR_CONNECTION_RESET' },
      { errorText: 'net::ERR_CONNECTION_REFUSED' },
    ]);
    const result = { loaderId: 'L1', errorText: 'net::ERR_CONNECTION_RESET' };
    const answer = Buffer.from(JSON.stringify({ id: 1, result }));
    expect(view.arrival(answer, 'http://closed.test/').toString()).toBe(answer.toString());
  });

  test('is told by sockets and by the console, whatever else they say', () => {
    const view = new NetworkView(outcomeOf);
    toldBy(view, 'Network.webSocketCreated', { requestId: '7.2', url: 'wss://closed.test/a' });
    const noTunnel = 'Establishing a tunnel via proxy server failed.';
    const refused = 'Error in connection establishment: net::ERR_CONNECTION_REFUSED';
    const error = (requestId: string) => ({ requestId, timestamp: 1, errorMessage: noTunnel });
    expect(toldBy(view, 'Network.webSocketFrameError', error('7.2')).params).toMatchObject({
      errorMessage: refused,
    });
    // refused by the policy
    toldBy(view, 'Network.webSocketCreated', { requestId: '7.3', url: 'wss://site.test/a' });
    expect(toldBy(view, 'Network.webSocketFrameError', error('7.3')).params).toEqual(error('7.3'));
    const logged = (text: string, url: string) =>
      toldBy(view, 'Log.entryAdded', {
        entry: { source: 'network', level: 'error', text, timestamp: 1, url },
      }).params as { entry: { text: string } };
    const line = "WebSocket connection to 'wss://closed.test/a' failed: ";
    expect(logged(line + noTunnel, 'https://site.test/').entry.text).toBe(line + refused);
    const load = 'Failed to load resource: net::';
    expect(logged(`${load}ERR_EMPTY_RESPONSE`, 'http://closed.test/x').entry.text).toBe(
      `${load}ERR_CONNECTION_REFUSED`,
    );
    const other = 'my own words: net::ERR_EMPTY_RESPONSE';
    expect(logged(other, 'http://closed.test/x').entry.text).toBe(other);
  });

  test('is forgotten with the request, and a page that asks without end fills no memory', () => {
    const view = new NetworkView(outcomeOf);
    for (let i = 0; i < 5000; i++) begin(view, `7.${i}`, 'http://closed.test/');
    toldBy(view, 'Network.loadingFinished', { requestId: '7.4999', timestamp: 1 });
    const said = 'net::ERR_EMPTY_RESPONSE';
    const named = (id: string) =>
      (toldBy(view, 'Network.loadingFailed', failure(id, said)).params as { errorText: string }).errorText;
    expect(['7.0', '7.4998', '7.4999'].map(named)).toEqual([said, 'net::ERR_CONNECTION_REFUSED', said]);
  });
});

test('what Chromium sends to a proxy is told as what it would send to a site', () => {
  const headers = { Host: 'site.test', 'Proxy-Connection': 'keep-alive', 'X-Own': '"Proxy-Connection":"' };
  const seen = toldBy(new NetworkView(outcomeOf), 'Network.requestWillBeSentExtraInfo', {
    requestId: '7.1',
    headers,
  });
  expect(Object.keys((seen.params as { headers: object }).headers)).toEqual(['Host', 'Connection', 'X-Own']);
});

test('a client whose exit cannot tell hears what Chromium says', () => {
  const params = response('https://site.test/');
  expect(toldBy(new NetworkView(undefined), 'Network.responseReceived', params).params).toEqual(params);
});

test('a client hears it in the events and the answers of its sessions', async () => {
  const pipe = openPipe();
  const { client, browserSession, heard } = await pipe.open({ outcomeOf });
  const targetInfo = { targetId: 'T', type: 'page', url: 'http://a.test/', title: '' };
  pipe.say(
    {
      method: 'Target.attachedToTarget',
      params: { sessionId: child, targetInfo, waitingForDebugger: false },
      sessionId: browserSession,
    },
    { method: 'Network.responseReceived', params: response('https://site.test/'), sessionId: child },
  );
  await settled();
  client.send(
    JSON.stringify({
      id: 3,
      method: 'Page.navigate',
      params: { url: 'http://closed.test/' },
      sessionId: child,
    }),
  );
  await settled();
  const result = { frameId: 'F', loaderId: 'L', errorText: 'net::ERR_EMPTY_RESPONSE' };
  pipe.say({ id: pipe.sent.at(-1)?.id, result, sessionId: child });
  await settled();
  expect(heard.slice(1)).toMatchObject([
    { params: { response: { remoteIPAddress: '93.184.215.14', remotePort: 443 } } },
    { id: 3, result: { errorText: 'net::ERR_CONNECTION_REFUSED' }, sessionId: child },
  ]);
});
