/**
 * The dashboard: static files, public, that can do nothing without a key.
 *
 *   /  and  /app/…   index.html, whatever its own router makes of the path
 *   /assets/NAME     scripts and styles, named by their content, so kept for good
 *
 * Its policy lets no code in but these files: what a hostile page puts into a title or an address stays text.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pageSchema } from '../contract/contract.ts';
import { contentPolicy, serveFile } from '../out/out.ts';
import type { App } from '../wire/wire.ts';

const policy = contentPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  // recordings
  'media-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  // the live view
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
});
const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
const schema = pageSchema('DashboardController_show', {
  summary: 'The dashboard',
  description:
    'For people: browsers with live pictures, scripts, quick actions, keys, webhooks. Signs in with an API key, and can do nothing without one. Its own pages are below `/app`.',
});
const forGood = { 'cache-control': 'public, max-age=31536000, immutable' };

const pages = ['/', '/app', '/app/*'];

/** In a package the dashboard lies beside dist/; in the repository a build leaves it in its own folder. */
const places = ['../../../dashboard', '../../../../dashboard/dist'].map((path) =>
  join(import.meta.dirname, path),
);

const notBuilt = `The dashboard of browserd has not been built.

In the repository: npm run build (npm start does it by itself). Then start the service again.
The API is here all the same: /docs shows it, /openapi.json describes it.
`;

/** Where it was built; undefined when it was not. */
export const dashboardFolder = (folders: string[] = places): string | undefined =>
  folders.find((folder) => existsSync(join(folder, 'index.html')));

export function dashboardRoutes(app: App, given?: string): void {
  const folder = dashboardFolder(given === undefined ? places : [given]);
  if (folder === undefined) {
    for (const url of pages)
      app.route({
        method: 'GET',
        url,
        schema: url === '/' ? schema : { hide: true },
        handler: async (_, reply) =>
          reply.code(404).headers(headers).type('text/plain; charset=utf-8').send(notBuilt),
      });
    return;
  }
  serveFile(app, pages, join(folder, 'index.html'), headers, schema);
  const assets = join(folder, 'assets');
  for (const name of existsSync(assets) ? readdirSync(assets) : [])
    serveFile(app, [`/assets/${name}`], join(assets, name), { ...headers, ...forGood });
}
