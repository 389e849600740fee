import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Seconds of one run, for the files that no run in this folder has measured yet. */
const usualSeconds: Record<string, number> = {
  accessibility: 85,
  'attacks-strict': 75,
  documents: 75,
  'crawl-hostile': 75,
  consent: 70,
  'crawl-killed': 65,
  scrape: 60,
  'crawl-manners': 60,
  crawl: 60,
  s3: 60,
  pickers: 55,
  profiles: 55,
  'captcha-solvers': 50,
  ready: 50,
  'hostile-pages': 50,
  'profiles-killed': 50,
  'pinned-tab': 50,
  'attacks-process': 50,
  everywhere: 45,
  computer: 45,
  trust: 45,
  vault: 45,
  'viewer-desktop': 40,
  'secret-attacks': 40,
  devices: 40,
  'requests-panel': 40,
  'recordings-faults': 40,
  mcp: 40,
  sdk: 40,
  'recording-cuts': 40,
  'scrape-pdf': 35,
  cdp: 35,
  'http-credentials': 35,
  'attacks-crowd': 35,
  trace: 35,
  secrets: 35,
  'jobs-shared': 30,
  limits: 30,
  'browser-list': 30,
  dashboard: 30,
  recordings: 30,
};

/** The longest first, so that none of them is left to run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = (file: TestSpecification): number => {
      const measured = this.ctx.cache.getTestSpecificationResult(file)?.duration;
      if (measured !== undefined) return measured / 1000;
      const usual = usualSeconds[basename(file.moduleId).replace(/\.(?:spec|test)\.ts$/, '')];
      return usual ?? (file.moduleId.endsWith('.spec.ts') ? 15 : 1);
    };
    return files.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}

/** `npm run test:cluster` runs all of them; a run of everything has those that show the main promises in a minute. */
const longSpecs =
  process.env.BROWSERD_CLUSTER_TESTS === 'whole' ? [] : ['packages/server/tests/cluster/!(short).spec.ts'];

export default defineConfig({
  test: {
    exclude: [...defaultExclude, ...longSpecs],
    include: ['packages/*/src/**/*.test.ts', 'packages/*/tests/**/*.spec.ts', 'scripts/lib/*.test.mjs'],
    globalSetup: [
      'packages/server/tests/support/global-postgres.ts',
      'packages/server/tests/support/global-cache.ts',
    ],
    sequence: { sequencer: LongestFirst },
    // real processes and real time: workers of their own. A spec waits for a part of its time, so one more than cores.
    pool: 'forks',
    maxWorkers: availableParallelism() + 1,
    // a worker loads the service once, not once a file: nothing in it is kept outside of what a test starts and ends
    isolate: false,
    // a wait is over when what is waited for is there; how long that takes is the machine's affair
    expect: { poll: { timeout: 90_000 } },
    testTimeout: 180_000,
    hookTimeout: 240_000,
    teardownTimeout: 30_000,
  },
});
