import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** What set-up and start promise about other processes can only be seen from outside: each case runs real ones. */
let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'browserd-processes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lib = (name) => JSON.stringify(new URL(name, import.meta.url).href);

/** Starts a script; gives what it printed so far, a wait for a line, and its end. */
function start(name, source) {
  const path = join(folder, name);
  writeFileSync(path, source);
  const child = spawn(process.execPath, [path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const line = async (pattern) => {
    while (!pattern.test(output)) await once(child.stdout, 'data');
    return output.match(pattern);
  };
  return { child, line, closed: once(child, 'close').then(([code, signal]) => ({ code, signal, output })) };
}

describe('one at a time', () => {
  const worker = (body) => `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { oneAtATime } from ${lib('one-at-a-time.mjs')};
    const note = (text) => appendFileSync(${JSON.stringify(join(folder, 'notes'))}, text);
    await oneAtATime('some folder', async () => { ${body} }, { onWait: () => console.log('waiting') });`;

  test('several processes that begin together work one after the other', async () => {
    const workers = Array.from({ length: 4 }, (_, n) =>
      start(`w${n}.mjs`, worker("note('<'); await sleep(30); note('>');")),
    );
    await Promise.all(workers.map(({ closed }) => closed));
    expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('<><><><>');
  });

  test('the lock of a process that was killed is taken over, by one of those who wait', async () => {
    const holder = start('holder.mjs', worker("console.log('working'); await sleep(60_000);"));
    await holder.line(/working/);
    const waiting = [1, 2, 3].map((n) =>
      start(`w${n}.mjs`, worker("note('<'); await sleep(30); note('>');")),
    );
    await Promise.all(waiting.map(({ line }) => line(/waiting/)));
    holder.child.kill('SIGKILL');
    await Promise.all(waiting.map(({ closed }) => closed));
    expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('<><><>');
  });
});

describe('the service under its launcher', () => {
  /** Says its pid and every signal, needs a moment to stop, and stops at once on the second signal. */
  const service = `
    let stopping = false;
    const stop = (why) => {
      console.log(why);
      if (stopping) process.exit(9);
      stopping = true;
      setTimeout(() => process.exit(7), 700);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
    process.once('disconnect', () => stop('disconnect'));
    setInterval(() => {}, 1000);
    console.log('service ' + process.pid);`;

  async function launch({ sameAct, underNpm = false } = {}) {
    const path = (name) => JSON.stringify(join(folder, name));
    writeFileSync(join(folder, 'service.mjs'), service);
    const launcher = `import { serve } from ${lib('serve.mjs')};
      process.exitCode = await serve(process.execPath, [${path('service.mjs')}], { sameAct: ${sameAct} });`;
    writeFileSync(join(folder, 'launcher.mjs'), launcher);
    const npm = `import { spawn } from 'node:child_process';
      spawn(process.execPath, [${path('launcher.mjs')}], { stdio: 'inherit' });`;
    const started = start('first.mjs', underNpm ? npm : launcher);
    const [, pid] = await started.line(/service (\d+)/);
    return { ...started, pid: Number(pid) };
  }

  test('gets a signal once, though npm and the terminal both send it, and its exit code is the launcher’s', async () => {
    const { child, line, closed } = await launch({ sameAct: 60_000 });
    child.kill('SIGINT');
    await line(/SIGINT/);
    child.kill('SIGINT');
    const { code, output } = await closed;
    expect(output.match(/SIGINT/g)).toHaveLength(1);
    expect(code).toBe(7);
  });

  test('gets a second Ctrl-C that comes later', async () => {
    const { child, line, closed } = await launch({ sameAct: 0 });
    child.kill('SIGINT');
    await line(/SIGINT/);
    child.kill('SIGINT');
    expect((await closed).code).toBe(9);
  });

  test('is told by its channel when the launcher is killed', async () => {
    const { child, closed } = await launch();
    child.kill('SIGKILL');
    // The output closes when the last process that holds it has ended.
    expect((await closed).output).toContain('disconnect');
  });

  test('is asked to stop when npm is killed above the launcher', async () => {
    const { child, closed } = await launch({ underNpm: true });
    child.kill('SIGKILL');
    expect((await closed).output).toContain('SIGTERM');
  });

  test('that is killed gives the exit code of a shell', async () => {
    const { pid, closed } = await launch();
    process.kill(pid, 'SIGKILL');
    expect((await closed).code).toBe(137);
  });
});
