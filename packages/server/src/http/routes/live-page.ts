import { join } from 'node:path';
import type { App } from '../app.ts';
import { contentPolicy, serveFile } from '../static-files.ts';

/**
 * The page behind a live address. It needs no key: all it can do, it does with the token that its address carries after
 * the #. Nothing is loaded from elsewhere, nothing inline runs, and no other site may frame it.
 */
const folder = join(import.meta.dirname, '../../../live');
const headers = {
  'content-security-policy': contentPolicy({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': 'data: blob:',
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

export function livePageRoutes(app: App): void {
  serveFile(app, ['/live/:browser'], join(folder, 'index.html'), headers);
  for (const name of ['live.js', 'hands.js', 'live.css'])
    serveFile(app, [`/live/assets/${name}`], join(folder, name), headers);
}
