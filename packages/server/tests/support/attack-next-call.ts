import { expect } from 'vitest';
import { frames } from './attack-talk.ts';
import type { Attack, World } from './attack-world.ts';

/** On what one call leaves for the next, and on the code itself. */
const raw = (world: World, code: string, more: object = {}) =>
  world.server.api.call('POST', `/v1/browsers/${world.fenced}/script/execute`, { body: { code, ...more } });

/** Both calls in a row; the second must know nothing of the first. */
const leavesNothing =
  (first: string, second: string, expected: unknown, where: 'run' | 'runOutside' = 'run') =>
  async (world: World): Promise<void> => {
    // one of them never ends
    await world[where](first, { timeoutMs: 4000 });
    expect(await world.run(second)).toMatchObject({
      success: true,
      result: expected,
      logs: [],
    });
  };

const attacks: Attack[] = [
  {
    name: 'leaves globals and prototypes of its realm for the next call',
    attempt: leavesNothing(
      'globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1; Promise.prototype.then = () => 1; JSON.stringify = () => "forged"; page.left = 1;',
      'return [globalThis.left, [].left, ({}).left, page.left, JSON.stringify(1)];',
      [null, null, null, null, '1'],
    ),
  },
  {
    name: 'leaves prototypes of the runner’s realm for the next call',
    attempt: leavesNothing(
      `Object.getPrototypeOf(await page.$$('x')).left = 1; Object.getPrototypeOf(page).left = 1; URL.prototype.left = 1; Buffer.left = 1; Object.getPrototypeOf(Object.getPrototypeOf(await page.$$('x'))).leftToo = 1;`,
      `return [(await page.$$('x')).left, page.left, URL.prototype.left, Buffer.left, (await page.$$('x')).leftToo];`,
      [null, null, null, null, null],
    ),
  },
  {
    name: 'leaves methods of the runner’s realm that lie to the next call',
    attempt: leavesNothing(
      `page.title = () => 'forged'; Object.getPrototypeOf(page).content = () => 'forged'; Buffer.from = () => 'forged'; Object.getPrototypeOf(console).log = () => 1;`,
      `return [await page.title() === 'forged', await page.content() === 'forged', Buffer.from('x') === 'forged'];`,
      [false, false, false],
    ),
  },
  {
    name: 'leaves timers, listeners and signals that act and speak in the next call',
    attempt: leavesNothing(
      `const act = () => { console.log('left'); page.evaluate(() => { document.title = 'left'; }).catch(() => 1); };
       await page.evaluate(() => { document.title = 'mine'; });
       setTimeout(act, 100); setInterval(act, 50); AbortSignal.timeout(100).addEventListener('abort', act); page.on('console', act); context.on('request', act); queueMicrotask(() => sleep(100).then(act));
       crypto.subtle.digest('SHA-256', Buffer.alloc(1e6)).then(() => sleep(100)).then(act);`,
      `await page.evaluate(() => console.log('call')); await sleep(400); return page.title();`,
      'mine',
    ),
  },
  {
    name: 'leaves a loop that swallows every refusal, and the next call is not held up',
    attempt: leavesNothing('(async () => { for (;;) await page.title().catch(() => 0); })();', 'return 1', 1),
  },
  {
    name: 'leaves routes and exposed functions that answer in the next call',
    attempt: leavesNothing(
      `await page.goto(args.site); await page.exposeFunction('left', () => 'left'); await page.route('**/*', (route) => route.fulfill({ body: 'left' })); await context.route('**/*', (route) => route.fulfill({ body: 'left' }));`,
      `await page.goto(args.site); return [await page.title(), await page.evaluate(() => typeof window.left)];`,
      ['site', 'undefined'],
    ),
  },
  {
    name: 'leaves timers of the runner’s own realm',
    async attempt(world) {
      await world.runOutside(`Host('act', 'setTimeout(() => { for (;;); }, 20)')(); return 1`);
      await new Promise((resolve) => setTimeout(resolve, 60));
      await world.run('return 1', { timeoutMs: 400 });
      expect(await world.run('return 2')).toMatchObject({ result: 2, logs: [] });
    },
  },
  {
    name: 'goes on acting on the page from the runner’s own realm after the answer',
    async attempt(world) {
      await world.run(`await page.goto(args.site); await page.evaluate(() => { document.title = 'mine' })`);
      // Straight to the wire, past Playwright and past the call that it belongs to; its own process runs on.
      await world.runOutside(`${frames}
        let session; const { emit } = need('net').Socket.prototype;
        need('net').Socket.prototype.emit = function (event, ...more) {
          if (event === 'data') session ??= /"sessionId":"([0-9A-F]{32})"/.exec(String(more[0]))?.[1];
          return emit.call(this, event, ...more);
        };
        await page.title();
        Host('timers', 'act', 'timers.setInterval(act, 20)')(need('timers'), () => cdp({ id: 1e9, method: 'Runtime.evaluate', params: { expression: 'document.title = "left"' }, sessionId: session }));
        if (!session) throw new Error('no session to act on'); return 1`);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await world.run('return page.title()')).toMatchObject({ result: 'mine', logs: [] });
    },
  },
  {
    name: 'leaves a CDP session that holds the requests of the page',
    attempt: leavesNothing(
      `const session = await context.newCDPSession(page); await session.send('Fetch.enable', { patterns: [{}] });`,
      `await page.goto(args.site); return page.title();`,
      'site',
    ),
  },
  {
    name: 'tampers with args, and names them after prototypes',
    async attempt(world) {
      const code = 'args.a.push(2); Object.assign({}, args); return [args.a, ({}).polluted]';
      for (let i = 0; i < 2; i++)
        expect((await raw(world, code, { args: { a: [1] } })).body.result).toEqual([[1, 2], null]);
      for (const name of ['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
        const { body, status } = await raw(world, code, { args: JSON.parse(`{"a":[1],${name}}`) });
        expect(status === 400 ? null : body.result[1]).toBeNull();
      }
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  },
  {
    name: 'sends code one byte too long, in bytes and not in letters',
    async attempt(world) {
      const long = (bytes: number, letter: string): string =>
        `//${letter.repeat((bytes - 2) / Buffer.byteLength(letter))}`;
      expect((await raw(world, `${long(262_144, 'x')}x`)).status).toBe(400);
      expect((await raw(world, `${long(262_142, 'é')}xxx`)).status).toBe(400);
      expect((await raw(world, long(262_144, 'x'))).body).toMatchObject({ success: true });
    },
  },
  {
    name: 'sends code with NUL, CRLF, line separators, a byte order mark and half a letter',
    async attempt(world) {
      for (const code of [
        'return 3\r\n',
        '//\u2028return 3',
        '//\u2029return 3',
        '\ufeffreturn 3',
        'return 3 //',
      ])
        expect((await raw(world, code)).body).toMatchObject({ success: true, result: 3 });
      for (const code of ['return "\0"', '"\ud800"; return 3'])
        expect((await raw(world, code)).status).toBe(400);
    },
  },
  {
    name: 'sends code that closes the function around it',
    async attempt(world) {
      for (const code of [
        '}); globalThis.x = 1; (async () => {',
        '}})(); for (;;); (() => {{',
        '*/ } /*',
        '`',
        'import fs from "fs"',
        'export default 1',
        '#!/bin/sh',
      ])
        expect((await raw(world, code)).body).toMatchObject({
          success: false,
          error: { code: 'SCRIPT_SYNTAX' },
        });
    },
  },
];

/** The vm and what it is given are the same with a box around them and without. */
export const nextCallAttacks: Attack[] = attacks.map((attack) => ({ ...attack, sameInBothModes: true }));
