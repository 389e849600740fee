import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Hideout, openHideout } from './hostile.fixture.ts';
import type { OneRunner } from './one-runner.ts';
import type { CdpPort, RunOutcome } from './runner.ts';
import { limits } from './wire/framing.ts';

/** An attacker that has taken over a runner can write any bytes to its three sockets. Here it does, from the first moment. */
let hideout: Hideout;
beforeAll(async () => {
  hideout = await openHideout();
});
afterAll(async () => {
  await hideout[Symbol.asyncDispose]();
});

/** Behaves until `attack` (code) is run at the given moment. */
const impostor = (moment: 'start' | 'attach' | 'run', attack: string): string => `
  import { Socket } from 'node:net';
  const [cdp, control, streams] = [3, 4, 5].map((fd) => new Socket({ fd, readable: true, writable: true }));
  const frame = (...parts) => { const body = Buffer.concat(parts.map((part) => Buffer.from(part))); const head = Buffer.alloc(4); head.writeUInt32LE(body.length); return Buffer.concat([head, body]) };
  const message = (value) => frame([0], typeof value === 'string' ? value : JSON.stringify(value));
  const say = (value) => control.write(message(value));
  const done = (more = {}) => ({ type: 'done', call: 1, result: 'first', memoryBytes: 1, ...more });
  const attack = () => { ${attack} };
  let held = Buffer.alloc(0);
  control.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= 4 + held.readUInt32LE()) {
      const asked = JSON.parse(held.subarray(5, 4 + held.readUInt32LE()).toString());
      held = held.subarray(4 + held.readUInt32LE());
      if (asked.type === '${moment}') attack();
      else if (asked.type === 'attach') say({ type: 'attached' });
      else if (asked.type === 'run') say(done({ call: asked.call }));
    }
  });
  if ('${moment}' === 'start') attack(); else say({ type: 'ready' });
  setInterval(() => {}, 1000);`;

const silentPort: CdpPort = { send: () => undefined, onMessage: () => undefined };

async function attached(attack: string, port: CdpPort = silentPort): Promise<OneRunner> {
  const runner = await hideout.impostor(impostor('run', attack));
  await runner.attach(port, { onStream: (stream) => void stream.resume() });
  return runner;
}

const run = (runner: OneRunner): Promise<RunOutcome> =>
  runner.run({ type: 'run', call: 1, code: '', args: null, targetId: 'x', timeoutMs: 120_000 });

/** Code of an attack: its call ends once the service has turned away so many streams. Two sockets are read in no order. */
const doneWhenRefused = (streams: number): string =>
  `let heard = 0; streams.on('data', ({ length }) => { heard += length; if (heard === ${streams} * frame(Buffer.alloc(5)).length) say(done()) });`;

/** It is ended, and the call says so in our words. */
async function expectEnded(runner: OneRunner, outcome: RunOutcome): Promise<void> {
  expect(outcome).toMatchObject({
    ok: false,
    error: { code: 'RUNNER_DIED', message: expect.stringContaining('broke the rules') },
  });
  await runner.exited;
  expect(runner.alive).toBe(false);
}

describe('a forged answer', () => {
  test('behaving, it is believed', async () => {
    const runner = await attached('say(done())');
    expect(await run(runner)).toMatchObject({ ok: true, result: 'first' });
    expect(runner.alive).toBe(true);
  });

  test.each([
    ['is not JSON', 'say("{nonsense")'],
    ['is empty', 'say("")'],
    ['is a list', 'say([1])'],
    ['is null', 'say("null")'],
    ['is of no known type', 'say({ type: "grant" })'],
    ['is of a type of another time', 'say({ type: "ready" })'],
    ['answers another call', 'say(done({ call: 2 }))'],
    ['answers no call', 'say(done({ call: undefined }))'],
    ['lies about numbers', 'say(done({ memoryBytes: -1 }))'],
    ['has a number for a tab', 'say(done({ front: 7 }))'],
    ['has an error that is none', 'say(done({ error: "no" }))'],
    ['has an error without a message', 'say(done({ error: { name: "E", stack: "" } }))'],
    [
      'has an error with a code of its own',
      'say(done({ error: { name: "E", message: "", stack: "", code: "UNAUTHENTICATED" } }))',
    ],
    [
      'has an error message of a megabyte',
      'say(done({ error: { name: "E", message: "x".repeat(1e6), stack: "" } }))',
    ],
    [
      'is nested without end',
      'say(\'{"type":"done","call":1,"memoryBytes":1,"result":\' + "[".repeat(200000) + "]".repeat(200000) + "}")',
    ],
    ['is larger than a result may be', `say(done({ result: "x".repeat(${limits.controlFrame}) }))`],
    ['claims four gigabytes', 'control.write(Buffer.from([255, 255, 255, 255, 0]))'],
    ['is of an unknown kind', 'control.write(frame([9], "{}"))'],
    ['is bytes that nobody asked for', 'control.write(frame([1], "bytes"))'],
    ['is an empty frame', 'control.write(frame([]))'],
  ])('that %s ends the runner', async (_, attack) => {
    const runner = await attached(attack);
    await expectEnded(runner, await run(runner));
  });

  test('given twice counts once, and ends the runner', async () => {
    const runner = await attached('say(done()); say(done({ result: "second" }))');
    expect(await run(runner)).toMatchObject({ ok: true, result: 'first' });
    await runner.exited;
    expect(runner.alive).toBe(false);
  });

  test('poisons no prototype', async () => {
    const runner = await attached(
      'say(`{"type":"done","call":1,"memoryBytes":1,"result":{"__proto__":{"evil":1},"constructor":{"prototype":{"evil":1}}}}`)',
    );
    const { result } = await run(runner);
    expect(Object.hasOwn(result as object, '__proto__')).toBe(true);
    expect(({} as { evil?: number }).evil).toBeUndefined();
  });
});

describe('floods', () => {
  test.each([
    ['log entries', 'for (let i = 0; i < 5000; i++) say({ type: "log", level: "log", text: "x" })'],
    ['log text', 'for (let i = 0; i < 900; i++) say({ type: "log", level: "log", text: "x".repeat(16000) })'],
    ['tabs', 'for (let i = 0; i < 5000; i++) say({ type: "front", targetId: "t" })'],
    [
      'questions',
      'for (let i = 0; i < 5000; i++) say({ type: "ask", question: i, op: "path", fileId: "f" })',
    ],
    [
      'file bytes beyond what was announced',
      'say({ type: "ask", question: 1, op: "write", name: "n", bytes: 3 }); control.write(frame([1], "four"))',
    ],
    [
      'a file that is too large',
      `say({ type: "ask", question: 1, op: "write", name: "n", bytes: ${limits.fileBytes + 1} })`,
    ],
    [
      'a message amid the bytes of a file',
      'say({ type: "ask", question: 1, op: "write", name: "n", bytes: 3 }); say(done())',
    ],
    ['streams out of turn', 'streams.write(frame([1, 5, 0, 0, 0, 0]))'],
    ['streams for no purpose', 'streams.write(frame([1, 1, 0, 0, 0]))'],
    ['streams for an unknown purpose', 'streams.write(frame([1, 1, 0, 0, 0, 9]))'],
    ['data of a stream that is not open', 'streams.write(frame([2, 1, 0, 0, 0], "x"))'],
    [
      'more data than a stream takes',
      'streams.write(frame([1, 1, 0, 0, 0, 0])); for (let i = 0; i < 5000; i++) streams.write(frame([2, 1, 0, 0, 0], Buffer.alloc(32768)))',
    ],
    ['stream frames too short to be one', 'streams.write(frame([1]))'],
    ['stream frames too long to be one', 'streams.write(Buffer.from([255, 255, 255, 255]))'],
    [
      'unknown stream operations',
      'streams.write(frame([1, 1, 0, 0, 0, 0])); streams.write(frame([77, 1, 0, 0, 0]))',
    ],
    ['CDP frames without end', 'cdp.write(Buffer.from([255, 255, 255, 255]))'],
  ])('of %s end the runner', async (name, attack) => {
    const runner = await hideout.impostor(impostor('run', attack));
    // Data is not read here, so that a stream's window fills.
    await runner.attach(silentPort, { onStream: () => undefined });
    await expectEnded(runner, await run(runner));
    expect(name).toBeTruthy();
  });

  test('more streams at once than allowed are turned away one by one', async () => {
    const opened: unknown[] = [];
    const attack = `${doneWhenRefused(100 - limits.streams)}
      for (let i = 1; i <= 100; i++) { const head = Buffer.from([1, 0, 0, 0, 0, 0]); head.writeUInt32LE(i, 1); streams.write(frame(head)) }`;
    const runner = await hideout.impostor(impostor('run', attack));
    await runner.attach(silentPort, { onStream: (stream) => opened.push(stream) });
    expect((await run(runner)).ok).toBe(true);
    expect(opened).toHaveLength(limits.streams);
  });

  test('a trace is taken once, of a call that asked for it, and of no other', async () => {
    const traces: unknown[] = [];
    const trace = { snapshots: true, screenshots: true, sources: true, maxBytes: 1000 };
    for (const [onTrace, taken] of [
      [(stream: unknown) => void traces.push(stream), 1],
      [undefined, 0],
    ] as const) {
      traces.length = 0;
      const attack = `${doneWhenRefused(2 - taken)} for (const i of [1, 2]) streams.write(frame([1, i, 0, 0, 0, 1]))`;
      const runner = await hideout.impostor(impostor('run', attack));
      await runner.attach(silentPort, { onStream: () => expect.unreachable('it is no connection') });
      const message = { type: 'run', call: 1, code: '', args: 1, targetId: 't', timeoutMs: 120_000 } as const;
      expect((await runner.run({ ...message, trace }, undefined, { onTrace })).ok).toBe(true);
      expect(traces).toHaveLength(taken);
    }
  });

  test('CDP messages wait in the runner while the browser does not take them', async () => {
    let taken = 0;
    const { promise: takesMore, resolve: takeMore } = Promise.withResolvers<void>();
    const port: CdpPort = {
      send: () => {
        taken++;
        return takesMore;
      },
      onMessage: () => undefined,
    };
    const attack =
      'const piece = frame(Buffer.alloc(60000)); for (let i = 0; i < 4000; i++) cdp.write(piece); setTimeout(() => say(done()), 300)';
    const runner = await attached(attack, port);
    expect((await run(runner)).ok).toBe(true);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(400);
    takeMore();
  });

  test('a runner that reads nothing is ended before it fills the memory', async () => {
    let tell: (message: Buffer) => void = () => undefined;
    let paused = false;
    const port: CdpPort = {
      send: () => undefined,
      onMessage: (listener) => {
        tell = listener;
      },
      pause: (now) => {
        paused = now;
      },
    };
    const runner = await attached('for (;;) {}', port);
    const running = run(runner);
    const piece = Buffer.alloc(1 << 20);
    for (let i = 0; i < 10; i++) tell(piece);
    expect(paused).toBe(true);
    for (let i = 0; i < 250; i++) tell(piece);
    await expectEnded(runner, await running);
  });
});

describe('a runner that is not what it should be from the start', () => {
  test.each([
    ['ends at once', 'process.exit(3)'],
    ['answers before it is asked', 'say({ type: "ready" }); say(done())'],
    ['is ready twice', 'say({ type: "ready" }); say({ type: "ready" })'],
    ['speaks nonsense', 'control.write("GET / HTTP/1.1\\r\\n\\r\\n")'],
  ])('one that %s is not used', async (_, attack) => {
    const used = hideout
      .impostor(impostor('start', attack))
      .then((runner) => runner.attach(silentPort, { timeoutMs: 5000 }));
    await expect(used).rejects.toMatchObject({ code: 'RUNNER_UNAVAILABLE' });
  });

  test.each([
    ['never attaches', ''],
    ['refuses', 'say({ type: "refused", message: "no" })'],
    ['dies', 'process.abort()'],
  ])('one that %s is not used either', async (_, attack) => {
    const runner = await hideout.impostor(impostor('attach', attack));
    await expect(runner.attach(silentPort, { timeoutMs: 1500 })).rejects.toMatchObject({
      code: 'RUNNER_UNAVAILABLE',
    });
    await runner.exited;
  });

  test('one that speaks between calls is ended', async () => {
    const runner = await attached(
      'say(done()); setTimeout(() => say({ type: "log", level: "log", text: "ghost" }), 100)',
    );
    expect((await run(runner)).ok).toBe(true);
    expect((await runner.exited).reason).toContain('log while idle');
  });
});
