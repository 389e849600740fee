/**
 * npm run test:steady: the whole suite again and again, quiet and with busy loops beside it, because a test that fails one
 * time in eight is a bug that one run does not show. -- --quiet 5 --loaded 3 --loops 2 are the counts; what else is given
 * goes to `npm test`. The exit code is 1 if anything failed.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { header, Problem, program, root, say } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { steadyTable } from './lib/steady-table.mjs';
import { readReport } from './lib/test-report.mjs';

const countOf = (text, name) => {
  if (!/^\d{1,3}$/.test(text)) throw new Problem(`--${name} is a count of 0 to 999, not ${text}.`);
  return Number(text);
};

/** Each ends with this process, however that ends: its input is a pipe from here. */
function startLoops(count) {
  const code =
    'process.stdin.resume().on("end", () => process.exit()); const work = () => { const until = Date.now() + 50; while (Date.now() < until); setImmediate(work); }; work();';
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  return async () => {
    await Promise.all(
      loops.map((loop) => {
        const ended = new Promise((resolve) => loop.once('exit', resolve));
        loop.kill('SIGKILL');
        return ended;
      }),
    );
  };
}

async function oneRun(load, { loops, folder, rest }) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const stopLoops = startLoops(load ? loops : 0);
  const startedAt = performance.now();
  try {
    const env = { ...process.env, BROWSERD_TEST_REPORT: report };
    const code = await run(process.execPath, ['scripts/test.mjs', ...rest], { env });
    const minutes = (performance.now() - startedAt) / 60_000;
    const { passed, failed, failures } = readReport(report, code, root);
    return { load, minutes, passed, failed, failures };
  } finally {
    await stopLoops();
  }
}

await program(async (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quiet: { type: 'string', default: '5' },
      loaded: { type: 'string', default: '3' },
      loops: { type: 'string', default: '2' },
    },
  });
  const [quiet, loaded, loops] = ['quiet', 'loaded', 'loops'].map((name) => countOf(values[name], name));
  const folder = mkdtempSync(join(tmpdir(), 'browserd-steady-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const runs = [];
  for (const load of [...Array(quiet).fill(false), ...Array(loaded).fill(true)]) {
    header(`Run ${runs.length + 1} of ${quiet + loaded}${load ? `, beside ${loops} busy loops` : ''}`);
    runs.push(await oneRun(load, { loops, folder, rest: positionals }));
  }
  header('Steady?');
  say(steadyTable(runs, loops));
  return runs.some(({ failed }) => failed > 0) ? 1 : 0;
});
