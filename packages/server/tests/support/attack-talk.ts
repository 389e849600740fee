import { expect } from 'vitest';
import { type Attack, done, type World } from './attack-world.ts';

/** On the wires between the script’s process and the service, and through Playwright, which sits on them. */
const refusesAll =
  (code: string) =>
  async (world: World): Promise<void> => {
    const answer = await world.run(code);
    expect(answer).toMatchObject({ success: true });
    expect(done(answer.result)).toEqual([]);
  };

/** Frames as the service expects them, or not. The call need not survive it. */
export const frames = `
  const fs = need('fs');
  const framed = (...parts) => { const body = Buffer.concat(parts.map((part) => Buffer.from(part))); const head = Buffer.alloc(4); head.writeUInt32LE(body.length); return Buffer.concat([head, body]); };
  const put = (fd, bytes) => { for (let at = 0, tries = 0; at < bytes.length && tries < 1e5; tries++) try { at += fs.writeSync(fd, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; } };
  const control = (message) => put(4, framed([0], typeof message === 'string' ? message : JSON.stringify(message)));
  const cdp = (message) => put(3, framed(typeof message === 'string' ? message : JSON.stringify(message)));
  const stream = (operation, number, body = '') => { const head = Buffer.alloc(5); head[0] = operation; head.writeUInt32LE(number, 1); put(5, framed(head, body)); };`;

const forges =
  (code: string, check?: (answer: Record<string, unknown>, world: World) => void) =>
  async (world: World): Promise<void> => {
    const answer = await world.runOutside(`${frames}\n${code}`);
    check?.(answer, world);
    const { body } = await world.server.api.get(world.fenced);
    expect(body).toMatchObject({ status: 'ready', epoch: 1 });
  };

const byPlaywright: Attack[] = [
  {
    name: 'has Playwright launch a program',
    attempt: refusesAll(`const type = browser.browserType();
      return all({
        launch: () => type.launch({ executablePath: '/bin/sh', timeout: 1000 }), args: () => type.launch({ executablePath: '/usr/bin/env', args: ['id'], timeout: 1000 }),
        server: () => type.launchServer({ timeout: 1000 }), persistent: () => type.launchPersistentContext(args.outside, { timeout: 1000 }),
        node: () => type.launch({ executablePath: '/proc/self/exe', timeout: 1000 }),
        electron: () => type._playwright._electron.launch({ executablePath: '/bin/sh', timeout: 500 }),
      });`),
  },
  {
    name: 'has Playwright connect to the service or to a listener of the machine',
    attempt: refusesAll(`const type = browser.browserType(), canary = '127.0.0.1:' + args.canary.tcp;
      return all({
        ws: () => type.connect(args.service.replace('http', 'ws'), { timeout: 1000 }), canary: () => type.connect('ws://' + canary, { timeout: 1000 }),
        cdp: () => type.connectOverCDP(args.service, { timeout: 1000 }), cdpCanary: () => type.connectOverCDP('http://' + canary, { timeout: 1000 }),
        cdpWs: () => type.connectOverCDP('ws://' + canary, { timeout: 1000 }), android: () => type._playwright._android.connect('ws://' + canary, { timeout: 500 }),
      });`),
  },
  {
    name: 'has Playwright make requests that do not go through the exit',
    attempt:
      refusesAll(`const { request } = browser.browserType()._playwright, url = 'http://127.0.0.1:' + args.canary.tcp;
      const from = async (options, to) => { const made = await request.newContext(options); return (await made.get(to, { timeout: 1000 })).status(); };
      return all({
        direct: () => from({}, url), service: () => from({}, args.service + '/health'), proxied: () => from({ proxy: { server: url } }, 'http://example.test/'),
        socks: () => from({ proxy: { server: url.replace('http', 'socks5') } }, 'http://example.test/'),
        context: async () => { const made = await browser.newContext({ proxy: { server: url } }); return (await made.request.get('http://example.test/', { timeout: 1000 })).status(); },
      });`),
  },
  {
    name: 'has Playwright write files outside',
    attempt: refusesAll(`const to = (name) => args.outside + '/' + name;
      return all({
        screenshot: () => page.screenshot({ path: to('a.png') }), pdf: () => page.pdf({ path: to('a.pdf') }), state: () => context.storageState({ path: to('a.json') }),
        trace: async () => { await context.tracing.start(); await context.tracing.stop({ path: to('a.zip') }); },
        response: async () => { const video = await browser.newContext({ recordVideo: { dir: to('video') } }); await (await video.newPage()).close(); await video.close(); },
        har: async () => { const har = await browser.newContext({ recordHar: { path: to('a.har') } }); await har.close(); },
      });`),
  },
  {
    name: 'has Playwright read files of the machine',
    attempt: refusesAll(`const secret = args.secretFile;
      await page.goto(args.site); await page.setContent('<input type=file>');
      return all({
        input: async () => { await page.setInputFiles('input', secret, { timeout: 1000 }); return page.evaluate(() => document.querySelector('input').files[0].text()); },
        script: () => page.addScriptTag({ path: secret }), style: () => page.addStyleTag({ path: secret }), init: () => page.addInitScript({ path: secret }),
        state: () => browser.newContext({ storageState: secret }), har: () => page.routeFromHAR(secret, { url: '**/har' }),
        certificate: () => browser.newContext({ clientCertificates: [{ origin: 'https://x.test', certPath: secret, keyPath: secret }] }),
        fulfill: async () => { await page.route('**/stolen', (route) => route.fulfill({ path: secret })); const text = await page.evaluate(() => fetch('/stolen').then((r) => r.text())); if (!text.includes('secret-')) throw new Error('not served'); return text; },
      });`),
  },
];

const byMessages: Attack[] = [
  {
    name: 'forges its own answer, twice, and for another call',
    attempt: forges(
      `for (const call of [1, 2, 3, 99]) control({ type: 'done', call, result: 'forged', memoryBytes: 0 }); await sleep(300); return 'late'`,
    ),
  },
  {
    name: 'forges messages of another time, of no type, and with fields nobody asked for',
    attempt: forges(
      `for (const message of [{ type: 'ready' }, { type: 'attached' }, { type: '__proto__' }, { type: 'log', level: 'fatal', text: 1 }, [], null, 'x'.repeat(1e6), '{', '\\0', '{"__proto__":{"polluted":1},"type":"log"}']) control(message); await sleep(200);`,
      () => expect(({} as Record<string, unknown>).polluted).toBeUndefined(),
    ),
  },
  {
    name: 'forges a frame of 4 GiB',
    attempt: forges(`put(4, Buffer.from([255, 255, 255, 255, 0])); await sleep(200);`),
  },
  {
    name: 'forges a result nested deeper than anybody can write again',
    attempt: forges(
      `control('{"type":"done","call":1,"memoryBytes":0,"result":' + '['.repeat(1e5) + ']'.repeat(1e5) + '}'); await sleep(200);`,
    ),
  },
  {
    name: 'forges more logs, fronts and questions than agreed',
    attempt: forges(
      `for (let i = 0; i < 20000; i++) control({ type: 'log', level: 'log', text: 'flood '.repeat(100) }); for (let i = 0; i < 2000; i++) control({ type: 'front', targetId: 'x' }); await sleep(200);`,
      (answer) => expect(JSON.stringify(answer.logs ?? []).length).toBeLessThan(1_000_000),
    ),
  },
  {
    name: 'asks for files by paths and for downloads by forged names',
    attempt: forges(
      `['../../etc/passwd', args.secretFile, '%2e%2e/admin-key', '\\0'].forEach((name, i) => { control({ type: 'ask', question: 1000 + 2 * i, op: 'path', fileId: name }); control({ type: 'ask', question: 1001 + 2 * i, op: 'download', guid: name }); });
       control({ type: 'ask', question: 2000, op: 'write', name: '../../attack', bytes: 1 }); put(4, framed([1], 'x')); await sleep(300);`,
    ),
  },
  {
    name: 'sends garbage where CDP is expected',
    attempt: forges(
      `for (const message of ['', '{', 'null', '[]', '"x"', '{"id":"1","method":"Browser.crash"}', '{"id":1e400,"method":"Browser.crash"}', '{"id":7,"method":"Page.enable","method":"Browser.crash"}', '{"id":8,"method":"Browser.crash","method":"Page.enable"}', '{"id":-1,"method":"Browser.crash"}', '{"id":9,"method":"Target.getTargets","params":' + '{"a":'.repeat(5000) + '1' + '}'.repeat(5000) + '}', '\\0'.repeat(100), '{"id":10,"method":"\\u0042rowser.crash"}']) cdp(message); await sleep(300);`,
    ),
  },
  {
    name: 'uses CDP sessions that are not its own',
    async attempt(world) {
      const code = `const { _transport } = page._connection.toImpl(browser)._connection, heard = [];
        const { onmessage } = _transport;
        _transport.onmessage = (message) => { if (message.id >= 900000) heard.push(message); else onmessage.call(_transport, message); };
        ['A'.repeat(32), '0'.repeat(32), '', '__proto__', 'x'.repeat(1e6)].forEach((sessionId, i) => _transport.send({ id: 900000 + i, method: 'Runtime.evaluate', params: { expression: '1' }, sessionId }));
        while (heard.length < 5) await sleep(10);
        _transport.onmessage = onmessage;
        return heard.map(({ error, result }) => error?.message ?? 'DONE ' + JSON.stringify(result));`;
      const { result } = await world.run(code);
      expect(result).toHaveLength(5);
      expect(new Set(result)).toEqual(new Set(['Session with given id not found.']));
    },
  },
  {
    name: 'opens streams out of turn, without end and past their window, and speaks to the exit itself over a forged one',
    async attempt(world) {
      await forges(
        `for (let i = 0; i < 5000; i++) stream(1, i + 1, [0]); for (let i = 0; i < 50; i++) stream(2, 1, 'x'.repeat(32000)); stream(9, 1); stream(5, 1, 'xx'); await sleep(25_000);`,
        ({ error }) => expect(error).toMatchObject({ code: 'SCRIPT_ABORTED' }),
      )(world);
      // The runner has ended over it: the next one has opened no stream yet, so the first numbers are in turn.
      const host = `127.0.0.1:${world.canaries.tcp}`;
      const asked = [
        `CONNECT ${host} HTTP/1.1\r\n\r\n`,
        `GET http://${host}/ HTTP/1.1\r\nHost: ${new URL(world.site.origin).host}\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        `CONNECT ${new URL(world.site.origin).host}@${host} HTTP/1.1\r\n\r\n`,
        `GET http://${host}/\r\n\r\n`,
        `GET ${world.site.origin}/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://${host}/ HTTP/1.1\r\n\r\n`,
      ];
      const { activity } = await world.runOutside(
        `${frames}\nargs.asked.forEach((text, i) => { stream(1, i + 1, [0]); stream(2, i + 1, text); }); await sleep(4000);`,
        { args: { asked } },
      );
      const refused = activity.filter((entry: { type: string }) => entry.type === 'policy_blocked');
      expect(refused.length).toBeGreaterThanOrEqual(2);
    },
  },
];

/** What the service makes of a message has nothing to do with the box that it comes from. */
export const talkAttacks: Attack[] = [
  ...byPlaywright,
  ...byMessages.map((attack) => ({ ...attack, sameInBothModes: true })),
];
