import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { usualLimits } from '../../src/runner/runner.ts';
import { openToolbox } from '../../src/runner/toolbox/toolbox.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cacheDir: string;
  }
}

/**
 * The one folder that services leave something in when they end, made for this run and gone with it: what the first of them
 * prepares serves all others, and none of them touches the cache of the machine's own services.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'browserd-test-cache-'));
  // The runners of services that were started as root have another user, who must get through.
  await chmod(root, 0o711);
  const cache = join(root, 'cache');
  const forAnotherUser = process.getuid?.() === 0;
  // Before the first worker: each of them would lay out the same.
  await (await openToolbox({ limits: usualLimits, cache, parent: root, forAnotherUser })).close();
  project.provide('cacheDir', cache);
  return () => rm(root, { recursive: true, force: true });
}
