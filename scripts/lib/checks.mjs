/**
 * The checks run beside each other, so none of them gains from every core. Each checker that tsc adds works out the types
 * of Zod, Fastify and Kysely anew: four of them take twice the processor time of one.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { compiledCode } from './compiled-code.mjs';
import { header, root, say } from './program.mjs';
import { capture } from './run.mjs';

const share = Math.max(1, Math.floor(availableParallelism() / 2));
const checkers = String(Math.min(4, share));

/** What it found is kept beside the dependencies, so that the next run looks only at what changed. */
const typesOf = (name, project) => [
  name,
  '@typescript/native/bin/tsc',
  ...['--noEmit', '-p', project, '--checkers', checkers, '--incremental', '--tsBuildInfoFile'],
  join(root, 'node_modules/.cache/browserd-types', `${project.replaceAll(/\W+/g, '-')}.tsbuildinfo`),
];

/** Tools are named by their file, not by node_modules/.bin: two packages there offer a `tsc`. */
const tools = [
  ['Format and lint (biome)', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  typesOf('Types (tsc)', '.'),
  ...['page', 'browsers/consent', 'browsers/running', 'chromium/pictures', 'programs/doctor'].map((room) =>
    typesOf(`Types inside pages, of ${room} (tsc)`, `packages/server/src/${room}/inside`),
  ),
  typesOf('Types of the page that viewers open (tsc)', 'packages/server/view'),
  typesOf('Types of the SDK, without Node (tsc)', 'packages/sdk'),
  typesOf('Types of the dashboard (tsc)', 'packages/dashboard'),
  typesOf('Types of the tests of the dashboard (tsc)', 'packages/dashboard/tests'),
  ['Promises and correctness (oxlint)', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  ['Unused files, exports and dependencies (knip)', 'knip/bin/knip.js', '--no-progress', '--cache'],
];

/** A lock file that names hosts would download from there, whatever registry the machine is set to. */
export function downloadHosts(lock) {
  const addresses = Object.values(lock.packages).map(({ resolved }) => resolved ?? '');
  return [...new Set(addresses.filter((address) => /^[a-z+]+:/i.test(address)))];
}

const locks = ['package-lock.json', 'packages/server/frameworks/package-lock.json'];

async function checkLocks() {
  const output = locks
    .map((path) => [path, downloadHosts(JSON.parse(readFileSync(join(root, path), 'utf8')))])
    .filter(([, found]) => found.length > 0)
    .map(
      ([path, found]) =>
        `${path} names download addresses:\n${found.map((address) => `  ${address}\n`).join('')}` +
        'Write it again, in its folder, with the omit-lockfile-registry-resolved=true of .npmrc: npm install --package-lock-only\n',
    )
    .join('');
  return { code: output ? 1 : 0, output };
}

/** All at once, because none depends on another; printed one after another, so that they can be read. */
export async function runChecks(node) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const env = { ...process.env, ...color, NODE_COMPILE_CACHE: compiledCode(), GOMAXPROCS: String(share) };
  const checks = [
    ...tools.map(([name, file, ...args]) => [
      name,
      capture(node, [join('node_modules', file), ...args], { env }),
    ]),
    [
      'Generated files are fresh',
      capture(node, ['packages/server/src/programs/generate.ts', '--check'], { env }),
    ],
    ['The SDK fits the contract', capture(node, ['packages/sdk/generate.ts', '--check'], { env })],
    ['The lock files name no download host', checkLocks()],
  ];
  const failed = [];
  for (const [name, running] of checks) {
    const { code, output } = await running;
    header(name);
    if (output.trim()) say(output.trimEnd());
    say(code === 0 ? 'ok' : `failed (code ${code})`);
    if (code !== 0) failed.push(name);
  }
  return failed;
}
