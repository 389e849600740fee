import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { App } from '../app.ts';

/**
 * The page behind a live address. It needs no key: all it can do, it does with the token that its address carries after
 * the #. Nothing is loaded from elsewhere, nothing inline runs, and no other site may frame it.
 */
const folder = join(import.meta.dirname, '../../../live');
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data: blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

const assets = {
  'live.js': 'text/javascript; charset=utf-8',
  'hands.js': 'text/javascript; charset=utf-8',
  'live.css': 'text/css; charset=utf-8',
} as const;

export function livePageRoutes(app: App): void {
  const page = readFileSync(join(folder, 'index.html'));
  const headers = { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };
  app.route({
    method: 'GET',
    url: '/live/:browser',
    schema: { hide: true, params: z.object({ browser: z.string() }) },
    handler: async (_, reply) => reply.headers(headers).type('text/html; charset=utf-8').send(page),
  });
  for (const [name, type] of Object.entries(assets)) {
    const bytes = readFileSync(join(folder, name));
    app.route({
      method: 'GET',
      url: `/live/assets/${name}`,
      schema: { hide: true },
      handler: async (_, reply) => reply.headers(headers).type(type).send(bytes),
    });
  }
}
