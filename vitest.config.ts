import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The longest first, so that none of them is left to run alone at the end. */
const longest = [
  'attacks',
  'scrape',
  'cdp',
  'recordings',
  'captcha-solvers',
  'recovery',
  'quick',
  'recordings-faults',
  'script',
  'store-paging',
  'store-races',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longest.indexOf(basename(moduleId).replace(/\.(?:spec|test)\.ts$/, ''));
      return rank === -1 ? longest.length + (moduleId.endsWith('.spec.ts') ? 0 : 1) : rank;
    };
    return files.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/tests/**/*.spec.ts', 'scripts/lib/*.test.mjs'],
    globalSetup: [
      'packages/server/tests/support/global-postgres.ts',
      'packages/server/tests/support/global-cache.ts',
    ],
    sequence: { sequencer: LongestFirst },
    // real processes and real time: workers of their own, and no more of them than leave room for Chromium
    pool: 'forks',
    maxWorkers: 3,
    // a worker loads the service once, not once a file: nothing in it is kept outside of what a test starts and ends
    isolate: false,
    // a wait is over when what is waited for is there; how long that takes is the machine's affair
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
