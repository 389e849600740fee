/** What the OpenAPI document and the reference page show. Typed, so that they stay true. */
import type { z } from 'zod';
import type {
  Browser,
  BrowserCounts,
  createBrowserSchema,
  StatusSnapshot,
} from '../../browsers/record/schema.ts';

export const createExample: z.input<typeof createBrowserSchema> = {
  name: 'checkout',
  metadata: { team: 'red' },
  policy: { allowedDomains: ['example.com'] },
};

export const browserExample: Browser = {
  id: 'browser_01ja9q4m8h2f7t3k5w6x8y0z1a',
  status: 'ready',
  name: 'checkout',
  metadata: { team: 'red' },
  createdAt: '2026-01-15T09:30:00.000Z',
  readyAt: '2026-01-15T09:30:00.012Z',
  lastActionAt: '2026-01-15T09:30:00.012Z',
  expiresAt: '2026-01-16T09:30:00.000Z',
  recording: false,
  har: false,
  policy: { allowedDomains: ['example.com'] },
  viewport: { width: 1280, height: 720, deviceScaleFactor: 1 },
  dialogs: 'dismiss',
  engine: 'shell',
  maxDuration: 86_400_000,
  epoch: 1,
  tabs: 1,
};

export const pageExample = { items: [browserExample], limit: 20, hasMore: false };

export const countsExample: BrowserCounts = {
  total: 42,
  status: {
    creating: 0,
    ready: 3,
    stopping: 0,
    stopped: 1,
    resuming: 0,
    recovering: 0,
    closing: 0,
    closed: 38,
    failed: 0,
  },
};

const tab = { tabId: 'F1C2A7', url: 'https://example.com/', title: 'Example Domain' };

export const statusExample: StatusSnapshot = {
  browserId: browserExample.id,
  status: 'ready',
  activeTab: tab,
  tabs: [tab],
  cookieCount: 2,
  cookieDomains: ['example.com'],
  lastActionAt: '2026-01-15T09:31:12.480Z',
};
