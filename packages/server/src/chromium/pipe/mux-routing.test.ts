import { describe, expect, test } from 'vitest';
import { openPipe, sessionName, settled } from './mux-pipe.fixture.ts';

const child = sessionName(0xabc);
const tab = { targetId: 'T', type: 'page', url: 'http://a.test/', title: '' };
const attached = (sessionId: string, under?: string, targetInfo: object = tab) => ({
  method: 'Target.attachedToTarget',
  params: { sessionId, targetInfo, waitingForDebugger: false },
  sessionId: under,
});

describe('what Chromium says finds its way', () => {
  test('to the client, also when Chromium orders a message in another way', async () => {
    const pipe = openPipe();
    const { client, browserSession, heard } = await pipe.open();
    client.send('{"id":5,"method":"Browser.getVersion"}');
    await settled();
    const { id } = pipe.sent.at(-1) ?? { id: 0 };
    pipe.say(
      { sessionId: browserSession, result: { ok: true }, id },
      { params: { type: 'x' }, sessionId: browserSession, method: 'Inspector.detached' },
    );
    await settled();
    expect(heard).toEqual([
      { id: 5, result: { ok: true } },
      { method: 'Inspector.detached', params: { type: 'x' } },
    ]);
  });

  test('to the client as an error without a session, when the session went away meanwhile', async () => {
    const pipe = openPipe();
    const { client, browserSession, heard } = await pipe.open();
    pipe.say(attached(child, browserSession));
    await settled();
    client.send(JSON.stringify({ id: 1, method: 'Page.enable', sessionId: child }));
    await settled();
    const error = { code: -32001, message: 'Session with given id not found.' };
    pipe.say({ id: pipe.sent.at(-1)?.id, error });
    await settled();
    expect(heard.at(-1)).toEqual({ id: 1, error });
  });

  test('nowhere, when it is the last event of a client that has left', async () => {
    const pipe = openPipe();
    const { client, browserSession, heard } = await pipe.open();
    pipe.say(attached(child, browserSession));
    await settled();
    const events: string[] = [];
    pipe.cdp.on('Page.frameNavigated', () => events.push('navigated'));
    pipe.cdp.on('Target.attachedToTarget', () => events.push('attached'));
    await client.close();
    const before = heard.length;
    pipe.say(
      { method: 'Page.frameNavigated', params: {}, sessionId: child },
      attached(sessionName(0xdef), child),
      attached(sessionName(0xdef), browserSession),
    );
    await settled();
    expect([events, heard.length]).toEqual([[], before]);
  });

  test('to the service, when the service opened the session', async () => {
    const pipe = openPipe();
    const events: (string | undefined)[] = [];
    pipe.cdp.on('Page.frameNavigated', (_, sessionId) => events.push(sessionId));
    pipe.say(attached(child), { method: 'Page.frameNavigated', params: {}, sessionId: child });
    await settled();
    expect(events).toEqual([child]);
  });

  test('never to the service, when a client’s own session opens', async () => {
    const pipe = openPipe();
    const events: string[] = [];
    pipe.cdp.on('Target.attachedToTarget', ({ sessionId }) => events.push(sessionId));
    pipe.say(attached(sessionName(1), undefined, { ...tab, type: 'browser', url: '' }));
    await pipe.open();
    expect(events).toEqual([]);
  });

  test('without what a client may not see: Chromium’s own pages are let go before it hears of them', async () => {
    const pipe = openPipe();
    const { client, browserSession, heard } = await pipe.open();
    const hidden = [
      { ...tab, url: 'chrome://settings/' },
      { ...tab, url: 'chrome-extension://abc/background.html', type: 'service_worker' },
      { ...tab, url: 'devtools://devtools/bundled/inspector.html' },
      { ...tab, url: 'file:///etc/passwd' },
      { ...tab, type: 'other' },
      { ...tab, type: 'webview' },
      { ...tab, type: 'background_page' },
    ];
    for (const info of hidden) {
      pipe.say(
        attached(child, browserSession, info),
        { method: 'Target.targetCreated', params: { targetInfo: info }, sessionId: browserSession },
        { method: 'Target.targetInfoChanged', params: { targetInfo: info }, sessionId: browserSession },
      );
      await settled();
      expect(pipe.sent.at(-1)).toMatchObject({
        method: 'Target.detachFromTarget',
        params: { sessionId: child },
        sessionId: browserSession,
      });
    }
    client.send('{"id":1,"method":"Target.getTargets"}');
    await settled();
    pipe.say({
      id: pipe.sent.at(-1)?.id,
      result: { targetInfos: [tab, ...hidden] },
      sessionId: browserSession,
    });
    await settled();
    expect(heard).toEqual([{ id: 1, result: { targetInfos: [tab] } }]);
    client.send(JSON.stringify({ id: 2, method: 'Page.enable', sessionId: child }));
    await settled();
    expect(heard.at(-1)).toMatchObject({ id: 2, error: { message: 'Session with given id not found.' } });
  });

  test('a tab that comes to a page of Chromium’s own is taken from the client', async () => {
    const pipe = openPipe();
    const { browserSession } = await pipe.open();
    pipe.say(attached(child, browserSession), {
      method: 'Target.targetInfoChanged',
      params: { targetInfo: { ...tab, url: 'chrome://version/' } },
    });
    await settled();
    expect(pipe.sent.at(-1)).toMatchObject({
      method: 'Target.detachFromTarget',
      params: { sessionId: child },
    });
  });
});

describe('a session that closes', () => {
  test('takes those below it along', async () => {
    const pipe = openPipe();
    const { client, browserSession, heard } = await pipe.open();
    const frame = sessionName(0xf0);
    pipe.say(attached(child, browserSession), attached(frame, child, { ...tab, type: 'iframe' }), {
      method: 'Target.detachedFromTarget',
      params: { sessionId: child, targetId: 'T' },
      sessionId: browserSession,
    });
    await settled();
    for (const sessionId of [child, frame]) {
      client.send(JSON.stringify({ id: 3, method: 'Page.enable', sessionId }));
      await settled();
      expect(heard.at(-1)).toMatchObject({ id: 3, error: { code: -32001 } });
    }
    expect(pipe.sent.filter(({ method }) => method === 'Page.enable')).toEqual([]);
  });
});

describe('a client that overdoes it', () => {
  test('is ended when it does not read', async () => {
    const pipe = openPipe();
    let waiting = 0;
    const reasons: string[] = [];
    const { browserSession } = await pipe.open({
      maxWaitingBytes: 1000,
      waitingBytes: () => waiting,
      onMessage: (message) => {
        waiting += message.length;
      },
      onClose: (reason) => reasons.push(reason),
    });
    const event = { method: 'Inspector.x', params: { text: 'x'.repeat(600) }, sessionId: browserSession };
    pipe.say(event, event, event);
    await settled();
    expect(reasons).toEqual(['slow']);
    expect(waiting).toBeLessThan(1000);
    expect(pipe.sent.at(-1)).toMatchObject({
      method: 'Target.detachFromTarget',
      params: { sessionId: browserSession },
    });
  });

  test('has commands refused while ten thousand wait', async () => {
    const pipe = openPipe();
    const { client, heard } = await pipe.open();
    for (let id = 1; id <= 10_001; id++) client.send(`{"id":${id},"method":"Browser.getVersion"}`);
    await settled();
    expect(heard).toEqual([
      { id: 10_001, error: { code: -32000, message: 'Too many commands wait for their answers' } },
    ]);
  });

  test('is asked to pause while Chromium has not taken what it sent', async () => {
    const pipe = openPipe();
    let drained = 0;
    const { client } = await pipe.open({ onDrain: () => drained++ });
    const expression = 'x'.repeat(128 * 1024);
    const command = JSON.stringify({ id: 1, method: 'Target.activateTarget', params: { expression } });
    let sent = 0;
    do sent++;
    while (client.send(command) && sent < 1000);
    expect([sent, drained]).toEqual([128, 0]);
    await expect.poll(() => drained).toBe(1);
    expect(client.send('{"id":2,"method":"Browser.getVersion"}')).toBe(true);
  });

  test('is asked to pause while a long message is read, and what it sends all the same comes after that', async () => {
    const pipe = openPipe();
    let drained = 0;
    const { client } = await pipe.open({ onDrain: () => drained++ });
    const before = pipe.sent.length;
    const long = 'x'.repeat(3 * 1024 ** 2);
    const say = (method: string, text: string) =>
      client.send(JSON.stringify({ id: 1, method, params: { text } }));
    expect(say('Target.activateTarget', long)).toBe(false);
    expect(say('Browser.getVersion', '')).toBe(false);
    expect(say('Target.closeTarget', long)).toBe(false);
    expect(say('Target.getBrowserContexts', '')).toBe(false);
    await expect.poll(() => drained).toBe(1);
    expect(pipe.sent.slice(before)).toMatchObject([
      { method: 'Target.activateTarget', params: { text: long } },
      { method: 'Browser.getVersion' },
      { method: 'Target.closeTarget', params: { text: long } },
      { method: 'Target.getBrowserContexts' },
    ]);
    expect(say('Browser.getVersion', '')).toBe(true);
  });

  test('is judged in a long message as in a short one', async () => {
    const pipe = openPipe();
    const { client, heard } = await pipe.open();
    const before = pipe.sent.length;
    const stray = 'x'.repeat(1024 ** 2);
    const ask = (id: number, method: string, params: object, sessionId?: string) =>
      client.send(JSON.stringify({ id, method, params: { ...params, stray }, sessionId }));
    ask(1, 'Page.navigate', { url: 'file:///etc/passwd' });
    ask(2, 'Browser.crash', {});
    ask(3, 'Page.navigate', { url: 'http://a.test/' });
    ask(4, 'Browser.getVersion', {}, 'of another client');
    ask(5, 'Page.navigate', { url: `http://a.test/${'y'.repeat(9 * 1024 ** 2)}` });
    await expect.poll(() => heard).toHaveLength(4);
    expect(heard).toMatchObject([
      { id: 1, error: { code: -32000 } },
      { id: 2, error: { message: "'Browser.crash' is not allowed here" } },
      { id: 4, error: { code: -32001 } },
      { id: 5, error: { message: 'Message is too large' } },
    ]);
    const [navigation, ...rest] = pipe.sent.slice(before) as { params: object }[];
    expect([navigation?.params, rest]).toEqual([{ url: 'http://a.test/' }, []]);
  });

  test('reads of a long message what is judged, and passes on the rest as it came', async () => {
    const pipe = openPipe();
    const { client, heard } = await pipe.open();
    const before = pipe.sent.length;
    const long = 'a"\\\n'.repeat(100_000);
    const post = { requestId: 'r', url: 'HTTP://a.test/ b', postData: long.repeat(25), stray: long };
    const items = [
      { mimeType: 'text/html', data: long },
      { mimeType: 'text/plain', data: 'short' },
    ];
    const drag = { type: 'drop', x: 1, y: 2, data: { items, files: [], stray: long }, stray: 1 };
    const pdf = { headerTemplate: long, transferMode: 'ReturnAsStream' };
    const say = (id: number, method: string, params: object) =>
      client.send(JSON.stringify({ id, method, params }));
    say(1, 'Fetch.continueRequest', post);
    say(2, 'Input.dispatchDragEvent', drag);
    say(3, 'Page.printToPDF', pdf);
    await expect.poll(() => pipe.sent.length).toBe(before + 3);
    expect(heard).toEqual([]);
    expect(pipe.sent.slice(before).map(({ params }) => params)).toEqual([
      { requestId: 'r', url: 'http://a.test/%20b', postData: post.postData },
      { type: 'drop', x: 1, y: 2, data: { items, files: [] } },
      pdf,
    ]);
  });

  test('that is long does not hide from the filter what it means, nor cost more than it may', async () => {
    const pipe = openPipe();
    const { client, heard } = await pipe.open();
    const before = pipe.sent.length;
    const long = 'x'.repeat(300_000);
    const link = '"data":"file:///etc/passwd"';
    const say = (id: number, method: string, params: string) =>
      client.send(`{"id":${id},"method":"${method}","params":{${params}}}`);
    say(1, 'Page.navigate', `"url":"http://a.test/","stray":"${long}","url":"file:///etc/passwd"`);
    const twice = `{"title":"${long}","mimeType":"text/plain","mimeType":"text/uri-list",${link}}`;
    say(2, 'Input.dispatchDragEvent', `"data":{"items":[${twice}]}`);
    const lines = Array.from({ length: 50_000 }, () => 'http://a.test/').join('\\n');
    say(3, 'Input.dispatchDragEvent', `"data":{"items":[{"mimeType":"text/uri-list","data":"${lines}"}]}`);
    say(4, 'DOM.setFileInputFiles', `"files":[${'"a",'.repeat(100_000)}"a"]`);
    say(5, 'Browser.grantPermissions', `"permissions":[],"origin":"${long}${long}"`);
    say(6, 'Browser.crash', `"stray":${'['.repeat(100)}${']'.repeat(100)},"other":"${long}"`);
    client.send(`{"id":7,"method":"Target.activateTarget",${'"a":1,'.repeat(100_000)}"a":1}`);
    await expect.poll(() => heard).toHaveLength(7);
    const closed = 'A link with such an address is not allowed here';
    expect(heard.map(({ error }: { error: { message: string } }) => error.message)).toEqual([
      "Addresses that begin with 'file:' are not allowed here",
      closed,
      closed,
      'Message has too many values',
      'Message is too large',
      "'Browser.crash' is not allowed here",
      'Message has too many values',
    ]);
    expect(pipe.sent.length).toBe(before);
  });

  test('cannot send what Chromium would die of', async () => {
    const pipe = openPipe();
    const { client, heard } = await pipe.open();
    const before = pipe.sent.length;
    const params = (text: string) =>
      JSON.stringify({ id: 1, method: 'Target.activateTarget', params: { text } });
    client.send(params('x'.repeat(97 * 1024 ** 2)));
    client.send(params('\u20ac'.repeat(40 * 1024 ** 2)));
    const deep = '['.repeat(100_000);
    client.send(
      `{"id":3,"method":"Target.activateTarget","params":{"a":${deep}${deep.replaceAll('[', ']')}}}`,
    );
    await expect.poll(() => heard).toHaveLength(3);
    expect(heard).toMatchObject([
      { id: 1, error: { message: 'Message is too large' } },
      { id: 1, error: { message: 'Message is too large' } },
      { error: { message: 'Message is nested too deeply' } },
    ]);
    expect(pipe.sent.length).toBe(before);
  });
});
