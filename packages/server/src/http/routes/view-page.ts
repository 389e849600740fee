/**
 * The page behind a live address. It needs no key: all it can do, it does with the token that its address carries after
 * the #. Nothing is loaded from elsewhere, nothing inline runs, and no other site may frame it.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { pageSchema } from '../contract/contract.ts';
import { contentPolicy, serveFile } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const folder = join(import.meta.dirname, '../../../view');
const scripts = [
  'chords',
  'clipboard',
  'dialogs',
  'input',
  'keyboard',
  'layout',
  'place',
  'pointer',
  'touch',
  'view',
  'picture',
  'picker',
  'picker-list',
  'picker-file',
];
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

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const schema = pageSchema('LivePageController_show', {
  summary: 'The viewer',
  description:
    'The page behind a live address, for a person: shows the browser as it changes and, with `mode: control`, takes clicks and keys. Ask for the address with `POST /v1/browsers/{id}/capabilities` (`kind: live`) or `POST /v1/browsers/{id}/handoff`, and open it as it is: the token is in the part after the `#`, which no web browser sends and no log sees. The page itself is the same for every browser; with the token it opens the socket `GET /v1/browsers/{id}/live`.',
});

export function viewPageRoutes(app: App): void {
  serveFile(app, ['/live/:id'], join(folder, 'index.html'), headers, { ...schema, params });
  for (const name of ['view.css', 'picker.css', ...scripts.map((script) => `${script}.js`)])
    serveFile(app, [`/live/assets/${name}`], join(folder, name), headers);
}
