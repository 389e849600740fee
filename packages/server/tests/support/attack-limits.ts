import { expect } from 'vitest';
import type { Attack, World } from './attack-world.ts';

/** On what a script may use, and on how it ends. */
const endsWithin =
  (timeoutMs: number) =>
  (code: string, ...codes: string[]) =>
  async (world: World): Promise<void> => {
    const answer = await world.run(code, { timeoutMs });
    expect(answer).toMatchObject({ success: false, result: null });
    expect(codes).toContain(answer.error.code);
  };
const endsAs = endsWithin(1000);
/** What only its deadline ends needs no long one, and what must be answered before its deadline needs a late one. */
const endsLate = endsWithin(400);
const endsEarly = endsWithin(30_000);

const results: Record<string, string> = {
  'a cycle': 'const a = {}; a.a = a; return a;',
  'a BigInt': 'return { a: 1n };',
  'a function': 'return () => 1;',
  'a symbol': 'return Symbol("x");',
  'a promise inside': 'return { a: Promise.resolve(1) };',
  'ten thousand levels': 'let a = 1; for (let i = 0; i < 1e4; i++) a = [a]; return a;',
  'itself from toJSON, for ever': 'const a = { toJSON() { return { toJSON: a.toJSON }; } }; return a;',
  'a getter that throws': 'return { get a() { throw new Error("no"); } };',
  'a proxy that throws':
    'return new Proxy({}, { get() { throw new Error("no"); }, ownKeys() { throw new Error("no"); } });',
  'a proxy of a proxy of itself':
    'const p = new Proxy({}, { get: () => p, ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: p, enumerable: true, configurable: true }) }); return p;',
  '9 MiB of text': 'return "x".repeat(9 * 1024 ** 2);',
  'four billion holes': 'return new Array(4294967295);',
  'forty thousand keys':
    'return Object.fromEntries(Array.from({ length: 4e4 }, (_, i) => ["key" + i, "x".repeat(1000)]));',
};

const thrown: Record<string, string> = {
  'an object whose message throws': 'throw { get message() { throw 1; } };',
  'a proxy that answers nothing':
    'throw new Proxy({}, { get() { throw new Error("x"); }, has() { throw 1; }, getPrototypeOf() { throw 1; } });',
  'a message that is no text': 'throw { message: { toString() { throw 1; } }, name: 1, stack: {} };',
  'a message of 50 MB': 'throw new Error("x".repeat(5e7));',
  'an error whose name is an object':
    'const e = new Error("x"); e.name = { toString: null }; e.stack = { toString: null }; throw e;',
};

const returning: Attack[] = Object.entries(results).map(([what, code]) => ({
  name: `returns ${what}, and is answered before its deadline`,
  sameInBothModes: true,
  attempt: endsEarly(code, 'RESULT_NOT_SERIALIZABLE', 'RESULT_TOO_LARGE', 'SCRIPT_FAILED', 'SCRIPT_ABORTED'),
}));

const throwing: Attack[] = Object.entries(thrown).map(([what, code]) => ({
  name: `throws ${what}, and is answered before its deadline`,
  sameInBothModes: true,
  attempt: endsEarly(code, 'SCRIPT_FAILED'),
}));

const ending: Attack[] = [
  {
    name: 'loops for ever',
    attempt: endsLate('for (;;);', 'SCRIPT_TIMEOUT'),
  },
  {
    name: 'never lets go of the event loop',
    sameInBothModes: true,
    attempt: endsLate('for (;;) await null;', 'SCRIPT_TIMEOUT'),
  },
  {
    name: 'returns a promise that never settles, by a then of its own',
    sameInBothModes: true,
    attempt: endsLate('return { then() {} };', 'SCRIPT_TIMEOUT'),
  },
  {
    name: 'loops for ever in the page',
    async attempt(world) {
      await endsLate('await page.evaluate(() => { for (;;); });', 'SCRIPT_TIMEOUT')(world);
      expect(await world.run('return page.evaluate(() => 1 + 1)')).toMatchObject({ result: 2 });
    },
  },
  {
    name: 'leaves a loop in the page that begins after it has returned',
    async attempt(world) {
      await world.run(
        'await page.evaluate(() => { setTimeout(() => { for (;;); }, 50); }); await sleep(100);',
      );
      await world.run('return page.evaluate(() => 1)', { timeoutMs: 400 });
      expect(await world.run('return page.evaluate(() => 1 + 1)')).toMatchObject({ result: 2 });
    },
  },
  {
    name: 'takes memory in buffers',
    async attempt(world) {
      const before = process.memoryUsage.rss();
      await endsAs(
        'const kept = []; for (;;) kept.push(Buffer.alloc(5e7, 1));',
        'SCRIPT_FAILED',
        'SCRIPT_ABORTED',
        'SCRIPT_TIMEOUT',
      )(world);
      expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 ** 2);
    },
  },
  {
    name: 'takes memory in the heap',
    attempt: endsAs(
      'const kept = []; for (;;) kept.push(Array.from({ length: 1e5 }, (_, i) => ({ i, text: "x" + i })));',
      'SCRIPT_ABORTED',
      'SCRIPT_TIMEOUT',
    ),
  },
  {
    name: 'fills the disk',
    gapInProcessMode: 'only the size of each file is limited, not their sum',
    async attempt(world) {
      const { result } =
        await world.runOutside(`const fs = need('fs'), folder = need('os').tmpdir() + '/bomb';
        fs.mkdirSync(folder);
        let bytes = 0;
        try { for (let i = 0; i < 12; i++) { fs.writeFileSync(folder + '/' + i, Buffer.alloc(1e7, 1)); bytes += 1e7; } } catch {}
        fs.rmSync(folder, { recursive: true });
        return bytes;`);
      expect(result).toBeLessThanOrEqual(64 * 1024 ** 2);
    },
  },
  {
    name: 'opens files without end',
    async attempt(world) {
      const { result } = await world.runOutside(`const fs = need('fs'); const open = [];
        try { for (let i = 0; i < 1e5; i++) open.push(fs.openSync(proc.argv[1])); } catch {}
        for (const fd of open) fs.closeSync(fd);
        return open.length;`);
      expect(result).toBeLessThan(1024);
    },
  },
  {
    name: 'is a fork bomb',
    async attempt(world) {
      const { result } = await world.runOutside(`const child = need('child_process'); let made = 0;
        for (let i = 0; i < 500; i++) try { if (child.spawn(proc.execPath, ['-e', '1']).pid) made++; } catch {}
        return made;`);
      expect(result).toBe(0);
    },
  },
  {
    name: 'ends its own process, politely or not',
    async attempt(world) {
      for (const code of ['proc.exit(0)', 'proc.kill(proc.pid, "SIGKILL"); for (;;);'])
        expect((await world.runOutside(code, { timeoutMs: 1000 })).error.code).toMatch(
          /SCRIPT_(ABORTED|TIMEOUT)/,
        );
    },
  },
  {
    name: 'writes 100 MB to its error stream',
    async attempt(world) {
      const before = process.memoryUsage.rss();
      await world.runOutside(
        'const fs = need("fs"); const b = Buffer.alloc(1e6, 120); for (let i = 0; i < 100; i++) try { fs.writeSync(2, b); } catch {}',
      );
      expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 ** 2);
    },
  },
  {
    name: 'logs a hundred thousand lines, and one of 50 MB',
    sameInBothModes: true,
    async attempt(world) {
      const { logs } = await world.run(
        'console.log("x".repeat(5e7)); for (let i = 0; i < 1e5; i++) console.log(i);',
        { timeoutMs: 20_000 },
      );
      expect(logs.length).toBeLessThanOrEqual(1001);
      expect(JSON.stringify(logs).length).toBeLessThan(1_000_000);
    },
  },
  {
    name: 'logs objects that bite whoever prints them',
    sameInBothModes: true,
    async attempt(world) {
      const answer =
        await world.run(`const bomb = new Proxy({}, { get() { throw new Error('no'); }, ownKeys() { throw new Error('no'); } });
        for (const it of [bomb, { get a() { for (let i = 0; i < 1e9; i++); } }, { [Symbol.for('nodejs.util.inspect.custom')]: (d, o, inspect) => inspect.constructor('return process')().env }, Object.create(null), new Array(1e9)])
          try { console.log(it); } catch {}
        return 1;`);
      expect(answer).toMatchObject({ success: true });
    },
  },
  {
    name: 'closes every tab, and still finds one in the next call',
    async attempt(world) {
      const options = { browser: world.plain };
      await world.run('await Promise.all(context.pages().map((each) => each.close()));', options);
      expect(await world.run('return page.url()', options)).toMatchObject({ result: 'about:blank' });
    },
  },
];

export const limitAttacks: Attack[] = [...ending, ...returning, ...throwing];
