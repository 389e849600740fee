/**
 *   this script (any Node ≥ 20) ──> node_modules ──> the pinned Node ──> Chromium and bubblewrap, the dashboard
 *
 * Each step looks first and works only when something is missing. Gives the path of the Node to run TypeScript on.
 */
import { ensureDashboard } from './dashboard.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { findNode, isRecentEnough } from './node-26.mjs';
import { Problem } from './program.mjs';
import { run } from './run.mjs';

export async function setUp({ browsers }) {
  if (Number(process.versions.node.split('.')[0]) < 20)
    throw new Problem(`browserd needs Node 20 or later to start; this is ${process.version}.`);
  if (process.platform === 'win32')
    throw new Problem('browserd runs on Linux and macOS. On Windows, run it inside WSL 2.');
  await ensureDependencies();
  const node = findNode();
  if (browsers) {
    await prepareBrowsers(node);
    await ensureDashboard(node);
  }
  return node;
}

/** In this process where it can read TypeScript: npm starts its scripts on the pinned Node once that is installed. */
async function prepareBrowsers(node) {
  if (isRecentEnough(process.versions.node)) return (await import('./browsers.mjs')).ensureBrowsers();
  const code = await run(node, ['scripts/prepare-browsers.mjs']);
  if (code !== 0) process.exit(code);
}
