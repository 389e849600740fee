import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Scene } from './runner.fixture.ts';

/** What is left of the time when an operation begins. */
const within = (ms: number) => expect.toSatisfy((waited: number) => waited > ms / 2 && waited <= ms);

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await scene.freshTab();
});

/** The script holds its thread as an endless loop does, but takes no processor from others meanwhile. */
const hang = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

describe('time and cancelling', () => {
  test.each([
    [`await context.newPage(); ${hang}`, 4000],
    ['await new Promise(() => {})', 400],
    ['await page.evaluate(() => new Promise(() => {}))', 400],
  ])('the deadline ends %s, and a tab opened before is reported all the same', async (code, timeoutMs) => {
    const before = await scene.runner();
    const { ok, error, durationMs, lastTargetId } = await scene.run(code, { timeoutMs });
    expect({ ok, code: error?.code }).toEqual({ ok: false, code: 'SCRIPT_TIMEOUT' });
    expect(durationMs).toBeGreaterThanOrEqual(timeoutMs);
    expect(before.alive).toBe(false);
    const tabs = (await scene.chromium.tabs()).map(({ targetId }) => targetId);
    if (code.includes('newPage')) expect(tabs).toContain(lastTargetId);
    else expect(lastTargetId).toBeUndefined();
    expect(await scene.result('return 1')).toBe(1);
  });

  test('a call is cancelled by its signal', async () => {
    const cancel = new AbortController();
    const running = scene.run('console.log("runs"); await sleep(20000)', { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 300);
    expect((await running).error?.code).toBe('CANCELLED');
    const already = await scene.run('return 1', { signal: AbortSignal.abort() });
    expect(already.error?.code).toBe('CANCELLED');
  });

  test('a runner that is closed during a call says so', async () => {
    const runner = await scene.runner();
    const running = scene.run('await sleep(20000)');
    await runner.close();
    expect((await running).error?.code).toBe('RUNNER_DIED');
    expect((await runner.exited).reason).toContain('closed');
  });
});

describe('one call and the next', () => {
  test('globals, prototypes and what hangs on page are not seen by the next', async () => {
    await scene.result(
      'globalThis.left = 1; leftToo = 2; Array.prototype.evil = 3; Object.prototype.evil = 4; page.left = 5; page.title = () => "mine"; context.left = 6; return 1',
    );
    const code =
      'return [typeof left, typeof leftToo, [].evil, ({}).evil, page.left, await page.title(), context.left].map(String)';
    expect(await scene.result(code)).toEqual([
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      'undefined',
      '',
      'undefined',
    ]);
  });

  test('timers, listeners and loops of one call neither act nor speak in the next', async () => {
    await scene.result(`
      setInterval(() => { console.log('ghost'); page.evaluate(() => { document.title = 'ghost' }).catch(() => {}) }, 5);
      page.on('console', () => console.log('ghost'));
      (async () => { while (true) { await page.evaluate(() => { document.title = 'ghost' }); } })().catch(() => {});
      (async () => { await sleep(50); await page.evaluate(() => { document.title = 'ghost' }) })();
      return 1`);
    await scene.result('await page.evaluate(() => { document.title = "clean" })');
    const { logs, result } = await scene.run(
      'await page.evaluate(() => console.log(1)); await sleep(300); return page.title()',
    );
    expect(logs).toEqual([]);
    expect(result).toBe('clean');
  });

  test('routes and exposed functions end with their call, and may be made again', async () => {
    const code = `
      await page.route('**/*', (route) => route.fulfill({ body: 'routed', contentType: 'text/html' }));
      await page.exposeFunction('tell', (word) => 'told ' + word);
      await page.goto('http://routed.test/');
      return [await page.innerText('body'), await page.evaluate(() => window.tell('x'))]`;
    expect(await scene.result(code)).toEqual(['routed', 'told x']);
    const { error } = await scene.run('await page.goto("http://routed.test/")');
    expect(error?.message).toContain('net::ERR');
    await scene.freshTab();
    expect(await scene.result(code)).toEqual(['routed', 'told x']);
  });

  test('time-outs that a script set are its own', async () => {
    await scene.result('page.setDefaultTimeout(1); context.setDefaultNavigationTimeout(1)');
    const { error } = await scene.run('await page.click("#no")', { timeoutMs: 5000 });
    expect(error?.playwright?.timeoutMs).toEqual(within(4500));
  });

  test('the page itself stays as it was', async () => {
    await scene.result('await page.setContent("<input>"); await page.fill("input", "kept")');
    expect(await scene.result('return page.inputValue("input")')).toBe('kept');
  });

  test('a runner counts its calls and tells its memory', async () => {
    const runner = await scene.runner();
    const before = runner.calls;
    await scene.result('return 1');
    expect(runner.calls).toBe(before + 1);
    expect(runner.memoryBytes).toBeGreaterThan(10_000_000);
  });
});

describe('tabs', () => {
  test('the tab that was opened or brought to the front last is reported', async () => {
    expect((await scene.run('return 1')).lastTargetId).toBeUndefined();
    const opened = await scene.run(
      'const tab = await context.newPage(); await tab.goto("data:text/html,<title>new</title>")',
    );
    const known = new Map((await scene.chromium.tabs()).map(({ targetId, url }) => [targetId, url]));
    expect(known.get(opened.lastTargetId ?? '')).toContain('new');
    expect((await scene.run('await context.newPage(); await page.bringToFront()')).lastTargetId).toBe(
      scene.tab,
    );
    expect(
      (await scene.run('const tab = await context.newPage(); await tab.close()')).lastTargetId,
    ).toBeUndefined();
  });
});

describe('the life of a runner', () => {
  test('a script that closes the browser’s connection gets its result, and a new runner serves the next', async () => {
    const before = await scene.runner();
    expect(await scene.result('await browser.close(); return "closed"')).toBe('closed');
    await before.exited;
    expect(before.alive).toBe(false);
    expect(await scene.result('return 1')).toBe(1);
  });

  test('a frozen one is stopped, still answers the browser, and wakes for the next call', async () => {
    const runner = await scene.runner();
    await scene.result('await page.setContent("<script>let n = 0; setInterval(() => n++, 10)</script>")');
    runner.freeze();
    // A new tab waits for every client that attached to it.
    const tab = await scene.chromium.openTab('data:text/html,<title>woken</title>');
    await expect
      .poll(async () => (await scene.chromium.tabs()).find(({ targetId }) => targetId === tab))
      .toMatchObject({ title: 'woken' });
    runner.freeze();
    expect(await scene.result('return page.title()', { targetId: tab })).toBe('woken');
    runner.freeze();
    await runner.close();
    expect(runner.alive).toBe(false);
  });

  // A warm one starts behind everything else that the machine does, so it has all the time that its start may take.
  test('warm ones are kept ready, and none is left at the end', { timeout: 300_000 }, async () => {
    await expect.poll(() => scene.host.size(), { timeout: 290_000 }).toEqual({ warm: 1, wanted: 1 });
    const runner = await scene.host.attach(await scene.chromium.port());
    expect(scene.host.size().warm).toBe(0);
    await runner.close();
    await scene.attachWith({});
  });
});
