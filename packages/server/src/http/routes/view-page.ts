/**
 * The page behind a live address. It needs no key: all it can do, it does with the token that its address carries after
 * the #. Nothing is loaded from elsewhere, nothing inline runs, and no other site may frame it.
 */
import { join } from 'node:path';
import { contentPolicy, serveFile } from '../out/out.ts';
import type { App } from '../wire/wire.ts';

const folder = join(import.meta.dirname, '../../../view');
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

export function viewPageRoutes(app: App): void {
  serveFile(app, ['/live/:browser'], join(folder, 'index.html'), headers);
  for (const name of ['view.js', 'input.js', 'view.css'])
    serveFile(app, [`/live/assets/${name}`], join(folder, name), headers);
}
