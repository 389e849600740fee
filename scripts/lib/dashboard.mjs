/**
 *   sources ──vite──> dist.new/ ──rename──> dist/     with the hash of those sources inside
 *
 * The dashboard is built when none is there, or when it was made from other sources. It appears whole or not at all, so
 * a service that starts meanwhile never reads half of one.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';
import { root, say } from './program.mjs';
import { capture } from './run.mjs';

const home = 'packages/dashboard';
const stamp = 'sources.sha256';
const ingredients = [
  `${home}/index.html`,
  `${home}/package.json`,
  `${home}/src`,
  `${home}/tsconfig.json`,
  `${home}/vite.config.ts`,
  'packages/sdk/package.json',
  'packages/sdk/src',
  'package-lock.json',
  'tsconfig.json',
];

const filesUnder = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true }).flatMap(({ name }) => filesUnder(join(path, name)))
    : [path];

/** Of every file that the dashboard is made of, by name and content; tests are none of them. */
export function hashOfSources(folder, names = ingredients) {
  const hash = createHash('sha256');
  const files = names
    .flatMap((name) => filesUnder(join(folder, name)))
    .filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of files.sort()) {
    const content = readFileSync(file);
    hash.update(`${file.slice(folder.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const builtFrom = (output) => {
  try {
    return readFileSync(join(output, stamp), 'utf8');
  } catch {
    return null;
  }
};

async function build(node, output, hash) {
  const aside = `${output}.new`;
  try {
    const args = ['node_modules/vite/bin/vite.js', 'build', home, '--outDir', aside, '--emptyOutDir'];
    // The config is TypeScript, which this Node reads by itself; React has a slower, wordier build for development.
    args.push('--configLoader', 'native', '--logLevel', 'warn');
    const built = await capture(node, args, { env: { ...process.env, NODE_ENV: 'production' } });
    if (built.code !== 0) return built.output;
    writeFileSync(join(aside, stamp), hash);
    rmSync(output, { recursive: true, force: true });
    renameSync(aside, output);
    return null;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * The service works without a dashboard; so a failure is reported, and is no reason to stop. Returns the folder, or
 * null.
 */
export async function ensureDashboard(node) {
  const output = join(root, home, 'dist');
  const hash = hashOfSources(root);
  if (builtFrom(output) === hash) return output;
  return oneAtATime(output, async () => {
    if (builtFrom(output) === hash) return output;
    say('Building the dashboard …');
    const trouble = await build(node, output, hash);
    if (trouble === null) return output;
    say(
      `${trouble.trimEnd()}\nThe dashboard could not be built; the service runs without it. Again: npm run build`,
    );
    return null;
  });
}
