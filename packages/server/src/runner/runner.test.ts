import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from './runner.fixture.ts';

/** What is left of the time when an operation begins. */
const within = (ms: number) => expect.toSatisfy((waited: number) => waited > ms / 2 && waited <= ms);

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('strict', { size: 0 });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
});

describe('what a script is given', () => {
  test('it is the body of an async function whose return value is the result', async () => {
    expect(await scene.run('return 1 + (await Promise.resolve(1))')).toMatchObject({
      ok: true,
      result: 2,
      logs: [],
    });
    expect(await scene.result('const nothing = 1;')).toBeNull();
  });

  test('page, context and browser are those of the tab', async () => {
    await scene.result('await page.setContent("<title>here</title>")');
    const code =
      'return [await page.title(), context.pages().includes(page), browser.contexts().includes(context)]';
    expect(await scene.result(code)).toEqual(['here', true, true]);
    const other = await scene.chromium.openTab('data:text/html,<title>other</title>');
    expect(
      await scene.result('await page.waitForLoadState(); return page.title()', { targetId: other }),
    ).toBe('other');
  });

  test('a tab that does not exist is said so', async () => {
    const { error } = await scene.run('return 1', { targetId: 'NOSUCHTAB' });
    expect(error).toMatchObject({ code: 'TAB_NOT_FOUND' });
  });

  test('args arrive as the script’s own objects', async () => {
    const code =
      'return [args.list instanceof Array, args.list.concat([3]), Object.getPrototypeOf(args) === Object.prototype]';
    expect(await scene.result(code, { args: { list: [1, 2] } })).toEqual([true, [1, 2, 3], true]);
    expect(
      await scene.result('return [args.__proto__, typeof args]', { args: JSON.parse('{"__proto__": 5}') }),
    ).toEqual([5, 'object']);
    expect(await scene.result('return typeof args')).toBe('undefined');
  });

  test('types are stripped and plain JavaScript is left alone', async () => {
    const typed =
      'interface A { b?: number }\nconst x: A = { b: 2 };\nreturn (x.b as number) satisfies number;';
    expect(await scene.result(typed)).toBe(2);
    expect(await scene.result('const a = 1, b = 0, c = 3; return a < b > (c)')).toBe(false);
    expect(await scene.result('return "a as string"; // : number')).toBe('a as string');
  });

  test('names of the scope may be declared anew', async () => {
    expect(
      await scene.result('const page = 1, args = 2; let console = 3; return [page, args, console]'),
    ).toEqual([1, 2, 3]);
  });

  test('nothing of Node is there', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'global',
      'WebSocket',
      'navigator',
      '__dirname',
      'XMLHttpRequest',
    ];
    const code = `return ${JSON.stringify(names)}.filter((name) => globalThis[name] !== undefined)`;
    expect(await scene.result(code)).toEqual([]);
    const { error } = await scene.run('return await import("node:fs")');
    expect(error?.message).toContain('import() is not available');
  });

  test('what scripts commonly need of the platform is there', async () => {
    const code = `return [
      new URL('/b', 'http://a.test').href, new TextDecoder().decode(new TextEncoder().encode('é')), atob(btoa('x')),
      structuredClone({ a: 1 }), Buffer.from('hi').toString('hex'), crypto.randomUUID().length, typeof performance.now(),
      Buffer.from('a') instanceof Uint8Array,
    ]`;
    expect(await scene.result(code)).toEqual([
      'http://a.test/b',
      'é',
      'x',
      { a: 1 },
      '6869',
      36,
      'number',
      true,
    ]);
  });

  test('errors and arrays of Playwright are instances of the script’s own types', async () => {
    const code = `
      const list = await page.evaluate(() => [1, new Date(0)]);
      const error = await page.click('#no', { timeout: 50 }).catch((thrown) => thrown);
      class Mine extends Error {}
      return [list instanceof Array, list[1] instanceof Date, error instanceof Error, error instanceof Mine,
              new Mine() instanceof Mine, new Mine() instanceof Error, {} instanceof Error]`;
    expect(await scene.result(code)).toEqual([true, true, true, false, true, true, false]);
  });

  test('sleep, timers and intervals work', async () => {
    const code = `
      const seen = [];
      await new Promise((done) => setTimeout((word) => { seen.push(word); done() }, 1, 'word'));
      await new Promise((done) => {
        const interval = setInterval(() => { if (seen.push('i') === 3) { clearInterval(interval); done() } }, 2);
      });
      const stopped = setTimeout(() => seen.push('never'), 1); clearTimeout(stopped);
      await sleep(20);
      return seen`;
    expect(await scene.result(code)).toEqual(['word', 'i', 'i']);
  });
});

describe('what a script says', () => {
  test('logs come in order, with their levels and times', async () => {
    const { logs } = await scene.run(
      'console.log("a", { b: [1] }); console.info("i"); console.warn("w"); console.error(new Error("e").message); console.debug("d %s", 1); console.table([{ a: 1 }])',
    );
    expect(logs.map(({ level, text }) => [level, text]).slice(0, 5)).toEqual([
      ['log', 'a { b: [ 1 ] }'],
      ['info', 'i'],
      ['warn', 'w'],
      ['error', 'e'],
      ['debug', 'd 1'],
    ]);
    expect(logs[5]?.text).toContain('│ 0');
    expect(logs.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true);
  });

  test('a printed page is a line, not a screen', async () => {
    await scene.freshTab();
    const { logs } = await scene.run('console.log(page, page.locator("a"), { page })');
    expect(logs[0]?.text).toBe("Page about:blank locator('a') { page: Page about:blank }");
  });

  test('a hundred thousand log lines end in one that says so', async () => {
    const { ok, logs } = await scene.run('for (let i = 0; i < 1e5; i++) console.log(i)');
    expect(ok).toBe(true);
    expect(logs).toHaveLength(1001);
    expect(logs.at(-1)).toMatchObject({ level: 'warn', text: expect.stringContaining('left out') });
  });

  test('a few huge log lines are cut', async () => {
    const { ok, logs } = await scene.run('for (let i = 0; i < 50; i++) console.log("é".repeat(1e6))');
    expect(ok).toBe(true);
    expect(logs.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThan(300_000);
  });

  test('what was said before a time-out is kept', async () => {
    const { logs, error } = await scene.run('console.log("before"); while (true) {}', { timeoutMs: 2000 });
    expect(error?.code).toBe('SCRIPT_TIMEOUT');
    expect(logs).toMatchObject([{ text: 'before' }]);
  });
});

describe('what goes wrong in a script', () => {
  test('a throw has the caller’s line and column, and only the caller’s frames', async () => {
    const { ok, error } = await scene.run(
      'const a = 1;\nfunction inner() { throw new TypeError("bad") }\n  inner();',
    );
    expect(ok).toBe(false);
    expect(error).toMatchObject({ name: 'TypeError', message: 'bad', line: 2, column: 26 });
    expect(error?.stack).toBe('TypeError: bad\n    at inner (script:2:26)\n    at script:3:3');
    expect((await scene.run('null.x')).error).toMatchObject({ line: 1, column: 6 });
  });

  test('positions survive the stripping of types', async () => {
    const { error } = await scene.run(
      'const x: number = 1;\nconst y: string = null!;\nreturn (y as string).length;',
    );
    expect(error).toMatchObject({ name: 'TypeError', line: 3, column: 22 });
  });

  test('anything may be thrown', async () => {
    expect((await scene.run('throw "text"')).error).toMatchObject({ name: 'Error', message: 'text' });
    expect((await scene.run('throw { code: 7 }')).error?.message).toContain('code: 7');
    expect((await scene.run('throw undefined')).error?.message).toBe('undefined');
    expect((await scene.run('throw new Error("x".repeat(1e6))')).error?.message.length).toBeLessThan(20_000);
  });

  test('a locator that never matched is named, with the wait, before the call’s own deadline', async () => {
    const { error, durationMs } = await scene.run('await page.getByRole("button", { name: "Pay" }).click()', {
      timeoutMs: 6000,
    });
    expect(error).toMatchObject({
      name: 'TimeoutError',
      line: 1,
      playwright: {
        apiName: 'locator.click',
        selector: "getByRole('button', { name: 'Pay' })",
        timeoutMs: within(5500),
      },
    });
    expect(durationMs).toBeLessThan(6000);
  });

  test('also when it begins late, or asks for more time than there is', async () => {
    // At the same time, each in a Chromium of its own: all they do is wait.
    await using second = await Scene.open('strict', { size: 0 });
    await using third = await Scene.open('strict', { size: 0 });
    await Promise.all([scene.runner(), second.runner(), third.runner()]);
    const [late, long, event] = await Promise.all([
      scene.run('await sleep(600); await page.locator("#no").waitFor()', { timeoutMs: 6000 }),
      second.run('await page.click("#no", { timeout: 60000 })', { timeoutMs: 5000 }),
      third.run('await page.waitForEvent("popup")', { timeoutMs: 5000 }),
    ]);
    expect(late.error?.playwright).toMatchObject({ selector: "locator('#no')" });
    expect(long.error?.playwright).toMatchObject({ selector: "locator('#no')", timeoutMs: within(4500) });
    expect(event.error?.name).toBe('TimeoutError');
  });

  test('a throw in a timer or a listener fails the call', async () => {
    const timer = await scene.run('setTimeout(() => { throw new Error("in timer") }, 1); await sleep(20000)');
    expect(timer.error).toMatchObject({ message: 'in timer', line: 1 });
    const listener = await scene.run(
      'page.on("console", () => { throw new Error("in listener") }); await page.evaluate(() => console.log(1)); await sleep(20000)',
    );
    expect(listener.error).toMatchObject({ message: 'in listener' });
  });

  test('a rejection nobody handles is logged', async () => {
    const { ok, logs } = await scene.run('Promise.reject(new Error("lost")); await sleep(50); return 1');
    expect(ok).toBe(true);
    expect(logs).toMatchObject([{ level: 'error', text: 'Unhandled rejection: Error: lost' }]);
  });

  test('an operation that was not awaited is cancelled, and the log says which', async () => {
    await scene.freshTab();
    await scene.result('await page.setContent("<button onclick=\\"document.title = 1\\">x</button>")');
    const { ok, logs } = await scene.run('page.click("#later"); return 1');
    expect(ok).toBe(true);
    expect(logs[0]?.text).toContain('page.click');
    await scene.result(
      'await page.evaluate(() => { document.querySelector("button").id = "later" }); await sleep(300)',
    );
    expect(await scene.result('return page.title()')).toBe('');
  });
});
