/** What the OpenAPI document and the reference page show of quick actions. Typed, so that they stay true. */
import type { QuickCaptured, QuickScraped, QuickStored } from '../../quick/schema.ts';
import { projectFileExample } from './project-files.ts';

export const scrapedExample: QuickScraped = {
  url: 'https://example.com/article',
  finalUrl: 'https://example.com/article',
  title: 'An article',
  description: 'What it is about.',
  statusCode: 200,
  contentType: 'text/html',
  format: 'markdown',
  content: '# An article\n\nIts text.',
  chars: 23,
  truncated: false,
  captcha: [],
  elapsedMs: 180,
};

export const capturedExample: QuickCaptured = {
  url: 'https://example.com',
  finalUrl: 'https://example.com/',
  statusCode: 200,
  mimeType: 'image/png',
  har: { log: { version: '1.2', creator: { name: 'browserd', version: '0.1.0' }, pages: [], entries: [] } },
  content: 'iVBORw0KGgo=',
};

export const storedExample: QuickStored = {
  url: 'https://example.com',
  finalUrl: 'https://example.com/',
  statusCode: 200,
  files: [
    {
      ...projectFileExample,
      name: 'screenshot.png',
      source: 'screenshot',
      address: {
        url: `https://browsers.example.com/v1/files/${projectFileExample.id}/content?token=bdc_…`,
        expiresAt: '2026-01-01T13:00:00.000Z',
      },
    },
  ],
};
