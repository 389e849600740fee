import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from './runner.fixture.ts';

/** What scripts try that mean harm, from the place where scripts run. Box or not, the outcome is the same here. */
describe.each(['strict', 'process'] as const)('in %s mode, a hostile script', (mode) => {
  let scene: Scene;
  beforeAll(async () => {
    process.env.BROWSERD_SECRET_OF_TEST = 'secret';
    scene = await Scene.open(mode, { size: 0 });
  });
  afterAll(async () => {
    await scene[Symbol.asyncDispose]();
  });

  test('finds no way to make code of the runner’s own realm', async () => {
    const doors = [
      'page',
      'console.log',
      'setTimeout',
      'Buffer',
      'URL',
      'context.pages()',
      'args',
      '(await page.evaluate(() => [1]))',
    ];
    for (const door of doors) {
      const { ok, result, error } = await scene.run(
        `return ${door}.constructor.constructor('return typeof process')()`,
        { args: {} },
      );
      expect(ok ? result : error?.name, door).toMatch(/^undefined$|EvalError/);
    }
    const { error } = await scene.run(
      'return Object.getPrototypeOf(page.goto).constructor("return process")()',
    );
    expect(error?.name).toBe('EvalError');
  });

  test('sees no environment and starts no program through Playwright', async () => {
    for (const code of [
      'await browser.browserType().launch({ executablePath: "/bin/sh" })',
      'await browser.browserType().launch({ executablePath: "/proc/self/exe", args: ["-e", "0"] })',
      'await browser.browserType().launchServer({ executablePath: "/bin/true" })',
      'await browser.browserType().launchPersistentContext("/tmp/x", { executablePath: "/bin/true" })',
    ]) {
      const { ok } = await scene.run(code, { timeoutMs: 8000 });
      expect(ok, code).toBe(false);
    }
  });

  test('reaches nothing by Playwright’s own connections', async () => {
    let reached = 0;
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => {
      reached++;
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    for (const code of [
      `await browser.browserType().connectOverCDP('http://127.0.0.1:${port}', { timeout: 2000 })`,
      `await browser.browserType().connect('ws://127.0.0.1:${port}', { timeout: 2000 })`,
      `await context.request.get('http://127.0.0.1:${port}/', { timeout: 2000 })`,
      `const other = await browser.newContext(); try { await other.request.get('http://127.0.0.1:${port}/', { timeout: 2000 }) } finally { await other.close() }`,
    ]) {
      const { ok } = await scene.run(code, { timeoutMs: 8000 });
      expect(ok, code).toBe(false);
    }
    server.close();
    expect(reached).toBe(0);
  });

  test('reads and writes no file of the machine through Playwright', async () => {
    for (const code of [
      'await page.screenshot({ path: "/etc/x.png" })',
      'await page.addScriptTag({ path: "/etc/passwd" })',
      'await page.addInitScript({ path: "/etc/hostname" })',
      'await context.storageState({ path: "/var/tmp/state.json" })',
      'await page.setContent("<input type=file>"); await page.setInputFiles("input", "/etc/passwd")',
      'await page.routeFromHAR("/etc/passwd", { notFound: "abort" })',
    ]) {
      const { ok } = await scene.run(code, { timeoutMs: 8000 });
      expect(ok, code).toBe(false);
    }
  });

  test('that gets hold of the control socket is ended at its first forged word, and the next call is served', async () => {
    const forge = `
      const agent = browser._connection.toImpl(context).fetchRequest._ensureAgent('http:');
      const probe = agent.createConnection({ port: 9, host: '127.0.0.1' }); probe.on('error', () => {});
      const { prototype } = probe.constructor; const { write } = prototype; let control;
      prototype.write = function (...all) { control = this; return Reflect.apply(write, this, all) };
      console.log('caught'); delete prototype.write;
      const body = Buffer.from('\\0' + JSON.stringify({ type: 'done', call: 1e9, result: 'forged', memoryBytes: 1 }));
      const head = Buffer.alloc(4); head.writeUInt32LE(body.length);
      control.write(Buffer.concat([head, body])); await sleep(15000); return 'real'`;
    const { ok, error, logs } = await scene.run(forge);
    expect({ ok, code: error?.code, logs }).toMatchObject({
      ok: false,
      code: 'RUNNER_DIED',
      logs: [{ text: 'caught' }],
    });
    expect(await scene.result('return 1')).toBe(1);
  });

  test('that takes memory without end is ended, and said so', async () => {
    // Numbers, because the collector need not look into them: it gives up at once instead of after seconds.
    const code = 'const kept = []; for (;;) kept.push(new Array(100000).fill(0.5))';
    const { error } = await scene.run(code, { timeoutMs: 60_000 });
    expect(error).toMatchObject({ code: 'RUNNER_DIED', message: expect.stringContaining('memory') });
    expect(await scene.result('return 1')).toBe(1);
  });

  test('that takes memory outside the heap fails, and leaves the next one enough', async () => {
    expect(
      (
        await scene.run('const kept = []; for (;;) kept.push(Buffer.alloc(1 << 25, 1))', {
          timeoutMs: 60_000,
        })
      ).ok,
    ).toBe(false);
    expect(await scene.result('return Buffer.alloc(1 << 27, 1).length')).toBe(1 << 27);
  });

  // Where nothing is asked of the box, once is enough.
  if (mode === 'strict') insideTheVm(() => scene);

  test('leaves nothing behind when all is closed', async () => {
    const runner = await scene.runner();
    await runner.close();
    expect(await runner.exited).toBeDefined();
    const left = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(scene.folder);
        } catch {
          return false;
        }
      });
    expect(left).toEqual([]);
  });
});

/** On what the code of a runner does itself, which is the same in a box and without one. */
function insideTheVm(sceneOf: () => Scene): void {
  test.each([
    [
      'a cycle',
      'const a = { b: {} }; a.b.c = a; return { a }',
      'RESULT_NOT_SERIALIZABLE',
      'result.a.b.c refers back to result.a',
    ],
    ['a BigInt', 'return { list: [1, 2n] }', 'RESULT_NOT_SERIALIZABLE', 'result.list[1] is a BigInt'],
    ['a function', 'return { run() {} }', 'RESULT_NOT_SERIALIZABLE', 'result.run is a function'],
    ['a symbol', 'return Symbol("x")', 'RESULT_NOT_SERIALIZABLE', 'result is a symbol'],
    ['a promise', 'return { later: page.title() }', 'RESULT_NOT_SERIALIZABLE', 'result.later is a Promise'],
    [
      'bottomless depth',
      'let a = 1; for (let i = 0; i < 1e5; i++) a = [a]; return a',
      'RESULT_NOT_SERIALIZABLE',
      'deeper than',
    ],
    ['nine megabytes', 'return "x".repeat(9e6)', 'RESULT_TOO_LARGE', 'larger than'],
    ['a billion holes', 'return new Array(1e9)', 'RESULT_TOO_LARGE', 'larger than'],
  ])('that returns %s gets a clear error', async (_, code, expected, words) => {
    const { error } = await sceneOf().run(code);
    expect(error).toMatchObject({ code: expected, message: expect.stringContaining(words) });
  });

  test('that returns a proxy or a getter that throws only fails itself', async () => {
    expect((await sceneOf().run('return { get x() { throw new Error("trap") } }')).error?.message).toBe(
      'trap',
    );
    expect(
      (await sceneOf().run('return new Proxy({}, { ownKeys() { throw new Error("trap") } })')).error?.message,
    ).toBe('trap');
    const traps = 'throw new Proxy(new Error("x"), { get() { throw new Error("trap") } })';
    expect((await sceneOf().run(traps)).error?.message).toContain('cannot be described');
    expect((await sceneOf().run('throw Object.create(null)')).ok).toBe(false);
    expect(
      (await sceneOf().run('return { toJSON() { while (true) {} } }', { timeoutMs: 500 })).error?.code,
    ).toBe('SCRIPT_TIMEOUT');
  });

  test('that breaks the language, or what it shares with others, breaks nobody', async () => {
    const before = await sceneOf().runner();
    await sceneOf().run(
      'delete globalThis.Promise; JSON.stringify = null; Array.prototype.push = null; Object.prototype.then = 1; return 1',
    );
    await sceneOf().run(
      'Buffer.from = null; Buffer.prototype.toString = null; URL.prototype.evil = 1; URL.evil = 1; crypto.evil = 1; AbortSignal.any = null; return 1',
    );
    const code =
      'return [Buffer.from("a").toString("hex"), URL.prototype.evil, URL.evil, crypto.evil, typeof AbortSignal.any].map(String)';
    expect(await sceneOf().result(code)).toEqual(['61', 'undefined', 'undefined', 'undefined', 'function']);
    expect(before.alive).toBe(true);
  });
}
