/** What the OpenAPI document and the reference page show of profiles. Typed, so that they stay true. */
import type { z } from 'zod';
import type { createProfileSchema, Profile, ProfileVersion } from '../../profiles/schema.ts';
import type { SignInBrowser } from '../../quick/profile-schema.ts';
import { browserExample } from './browser-examples.ts';

export const profileExample: Profile = {
  id: 'profile_01ja9q4m8h2f7t3k5w6x8y0z1a',
  name: 'github',
  metadata: { team: 'red' },
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:42:10.120Z',
  lastUsedAt: '2026-01-16T08:00:00.000Z',
  version: 3,
  size: 18_240,
  cookieCount: 12,
  cookieDomains: ['github.com'],
  origins: 1,
  check: { url: 'https://github.com/settings/profile', selector: '[data-login]' },
  health: { state: 'signed_in', checkedAt: '2026-01-16T08:00:00.000Z' },
};

export const createProfileExample: z.input<typeof createProfileSchema> = {
  name: 'github',
  check: profileExample.check,
};

export const versionExample: ProfileVersion = {
  version: 3,
  createdAt: profileExample.updatedAt,
  source: 'browser',
  browserId: browserExample.id,
  size: 18_240,
  cookieCount: 12,
  cookieDomains: ['github.com'],
  origins: 1,
};

export const signInExample: SignInBrowser = {
  browserId: browserExample.id,
  url: `https://browsers.example.com/live/${browserExample.id}#bdc_…`,
  expiresAt: '2026-01-15T10:30:00.000Z',
};
