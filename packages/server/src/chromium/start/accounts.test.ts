import { expect, test } from 'vitest';
import { engines, launchRig } from '../pipe/mux.fixture.ts';

test.runIf(engines.includes('full'))(
  'a Chromium that is online asks no host of pages for accounts',
  async () => {
    const asked: string[] = [];
    const { promise: asks, resolve: hear } = Promise.withResolvers<void>();
    await using _rig = await launchRig('full', {
      resolve: async (host) => {
        asked.push(host);
        throw new Error('no name is resolved here');
      },
      onRefused: ({ host, rule }) => {
        if (host === 'accounts.invalid' && rule === 'background_service') hear();
      },
    });
    await asks;
    expect(asked).not.toContain('accounts.google.com');
  },
);
