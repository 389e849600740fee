/** Carries out the steps of an installation plan, with the tools' own progress on the terminal. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fontAdviceFor } from './install-plan.mjs';
import { header, root, say } from './program.mjs';
import { run } from './run.mjs';

const patience = ['DPkg::Lock::Timeout=300', 'Acquire::Retries=2', 'Acquire::http::Timeout=20'];
/** Fonts are not worth a longer wait. */
const impatience = ['DPkg::Lock::Timeout=30', 'Acquire::Retries=0', 'Acquire::http::Timeout=10'];

const apt = (administrator, settings, ...args) => {
  const command = ['apt-get', '-y', ...settings.flatMap((setting) => ['-o', setting]), ...args];
  const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', ...command];
  const [first, ...rest] = administrator === 'sudo' ? ['sudo', '-n', ...quiet] : quiet;
  return run(first, rest);
};

export const aptUpdate = (administrator) => {
  header('Reading the package lists');
  return apt(administrator, patience, 'update');
};

async function aptInstall({ packages, gives }, { administrator }) {
  header(`Installing ${packages.join(', ')}`);
  const settings = gives === 'fonts' ? impatience : patience;
  const install = () => apt(administrator, settings, 'install', '--no-install-recommends', ...packages);
  const code = await install();
  if (code === 0 || gives === 'fonts') return code;
  // Old package lists name files that are gone from the server.
  await aptUpdate(administrator);
  return install();
}

function playwrightInstall({ withSystemLibraries, cache }) {
  header('Downloading Chromium (by Playwright)');
  const env = { ...process.env };
  // "0" would put it inside node_modules, where the next npm ci removes it.
  if (env.PLAYWRIGHT_BROWSERS_PATH === '0') delete env.PLAYWRIGHT_BROWSERS_PATH;
  if (cache) env.PLAYWRIGHT_BROWSERS_PATH ||= cache;
  const cli = join(root, 'node_modules/playwright-core/cli.js');
  const extras = withSystemLibraries ? ['--with-deps'] : [];
  return run(process.execPath, [cli, 'install', ...extras, 'chromium'], { env });
}

export async function carryOut(step, facts) {
  const code = await (step.by === 'apt' ? aptInstall(step, facts) : playwrightInstall(step));
  if (code !== 0) say(`\nThat did not work (code ${code}).`);
}

/** What is optional: after a failure the next starts do not lose time on it, until a day later. */
const failureNote = join(root, 'node_modules/.browserd-without-wishes');
const day = 24 * 60 * 60_000;

export const failedLately = () =>
  (statSync(failureNote, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - day;

export function rememberFailure({ bubblewrap, fonts }, facts) {
  if (!bubblewrap)
    say(
      'bubblewrap is not installed: browsers are isolated by Chromium’s own sandbox only (mode “process”).',
    );
  if (!fonts)
    say(
      `Fonts for emoji, or for Arabic, Chinese, Hindi, Japanese, Korean or Thai, are not installed: pages show boxes for such letters. ${fontAdviceFor(facts)}`,
    );
  try {
    writeFileSync(failureNote, '');
  } catch {
    // A node_modules of another user cannot be written to; then every start tries again.
  }
}
