/**
 * The page behind an address of the view. It needs no key: all it can do, it does with the token that its address carries after
 * the #. Nothing is loaded from elsewhere, nothing inline runs, and no other site may frame it but those for which its
 * address was made.
 */
import { join } from 'node:path';
import { z } from 'zod';
import type { Capabilities } from '../../access/access.ts';
import { ending } from '../../kit/own-source.ts';
import { pageSchema } from '../contract/contract.ts';
import { contentPolicy, serveFile } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const folder = join(import.meta.dirname, '../../../view');
const scripts = [
  'chords',
  'clipboard',
  'dialogs',
  'elements',
  'embedding',
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
const policyFor = (framers: readonly string[]): string =>
  contentPolicy({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': 'data: blob:',
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': framers.length > 0 ? framers.join(' ') : "'self'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
const headers = {
  'content-security-policy': policyFor([]),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const embedding = z.object({
  embed: z.string().optional().meta({
    description:
      'Which origins may frame the page, signed: a part of the address where it was asked for with `frameAncestors`. What is not valid allows none.',
  }),
});
const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const schema = pageSchema('LivePageController_show', {
  summary: 'The viewer',
  description:
    'The page behind a live address, for a person: shows the browser as it changes and, with `mode: control`, takes clicks and keys. Ask for the address with `POST /v1/browsers/{id}/capabilities` (`kind: live`) or `POST /v1/browsers/{id}/handoff`, and open it as it is: the token is in the part after the `#`, which no web browser sends and no log sees. The page itself is the same for every browser; with the token it opens the socket `GET /v1/browsers/{id}/live`.',
});

export function viewPageRoutes(app: App, capabilities: Pick<Capabilities, 'framersIn'>): void {
  serveFile(
    app,
    ['/live/:id'],
    join(folder, 'index.html'),
    async (request) => {
      const { id } = request.params as z.output<typeof params>;
      const { embed } = request.query as z.output<typeof embedding>;
      const policy = policyFor(await capabilities.framersIn(embed, id));
      return { ...headers, 'content-security-policy': policy };
    },
    { ...schema, params, querystring: embedding },
  );
  for (const name of ['view.css', 'picker.css'])
    serveFile(app, [`/live/assets/${name}`], join(folder, name), headers);
  for (const name of scripts)
    serveFile(app, [`/live/assets/${name}.js`], join(folder, `${name}${ending}`), headers);
}
