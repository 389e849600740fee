/**
 * npm run frameworks [-- --only TEXT]: the frameworks that people already use, as their registry has them, at a real
 * service. Prints a row for each trial; ends with 1 when one failed, or when a guide has code that no trial ran.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unused } from './guide.ts';
import { folderOf } from './programs.ts';
import type { Trial } from './trial.ts';
import { agents } from './trials/agents.ts';
import { drivers } from './trials/drivers.ts';
import { toolClients } from './trials/tool-clients.ts';
import { toolServers } from './trials/tool-servers.ts';
import { openWorld } from './world.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

function versionOf({ project, framework }: Trial): string {
  if (!project) return '';
  const { dependencies } = JSON.parse(readFileSync(join(folderOf(project), 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const wanted = dependencies[framework] ?? '';
  const places = createRequire(join(folderOf(project), 'package.json')).resolve.paths(framework) ?? [];
  const manifest = places
    .map((place) => join(place, framework, 'package.json'))
    .flatMap((file) => {
      try {
        return [JSON.parse(readFileSync(file, 'utf8')) as { version: string }];
      } catch {
        return [];
      }
    })[0];
  if (manifest?.version !== wanted)
    throw new Error(
      `${framework} ${manifest?.version ?? ''} is found in ${project}; its package.json wants ${wanted}.`,
    );
  return wanted;
}

const named = (trial: Trial): string => `${trial.framework} ${versionOf(trial)}`.trim();
const all = [...drivers, ...toolServers, ...agents, ...toolClients];
const chosen = all.filter((trial) => `${named(trial)} ${trial.shows}`.includes(values.only));
const widest = Math.max(...all.map((trial) => named(trial).length));

let failed = 0;
let skipped = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await using world = await openWorld();
for (const trial of chosen) {
  const began = performance.now();
  const row = (result: string): void => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(
      `${named(trial).padEnd(widest)}  ${result.padEnd(7)} ${seconds.padStart(6)} s  ${trial.shows}`,
    );
  };
  try {
    const why = await trial.unavailable?.();
    if (why === undefined) await trial.run(world);
    else skipped++;
    row(why === undefined ? 'works' : 'skipped');
    if (why !== undefined) console.log(`  ${why}`);
  } catch (error) {
    failed++;
    row('FAILED');
    console.log(`${error instanceof Error ? error.message : error}`.replaceAll(/^/gm, '  '));
  }
}
const left = values.only ? [] : unused();
for (const block of left) console.log(`No trial runs ${block}`);
console.log(
  `\n${chosen.length} trials: ${chosen.length - failed - skipped} work, ${failed} failed, ${skipped} skipped`,
);
process.exitCode = failed + left.length > 0 ? 1 : 0;
