import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/tests/**/*.spec.ts', 'scripts/lib/*.test.mjs'],
    globalSetup: ['packages/server/tests/global-postgres.ts'],
    // real processes and real time: workers of their own, and no more of them than leave room for Chromium
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
