/**
 * Playwright's trace viewer, as it lies in its package, for the traces of this service:
 *
 *   the dashboard ──(a trace as a blob: address)──> /trace/open, in a tab without the key ──(its bytes)──> the viewer in a frame
 *
 * A trace shows what hostile pages showed. The viewer lets no script of a page run; the policy here lets in no code but its
 * own files, and lets nothing out: neither the viewer nor its worker can talk to any other host.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ending } from '../../kit/own-source.ts';
import { contentPolicy, serveFile } from '../out/out.ts';
import type { App } from '../wire/wire.ts';

/** What only its other uses need: watching tests while they run. */
const unused = /^(uiMode|xtermModule|assets\/xtermModule)/;

const policyOf = (inlineScripts: readonly string[]): string =>
  contentPolicy({
    'script-src': ["'self'", ...inlineScripts].join(' '),
    // it sets the widths of its parts in the elements themselves
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' blob: data:",
    'media-src': "'self' blob: data:",
    'font-src': "'self' data:",
    'connect-src': "'self' blob: data:",
    // an empty snapshot is a data: address
    'frame-src': "'self' blob: data:",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'self'",
  });

/** Of the page around the viewer: it reads the trace from the memory of the page that opened it, and frames the viewer. */
const ownPolicy = contentPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'connect-src': 'blob:',
  'frame-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
});
const ownFiles = { open: 'trace.html', 'open.js': `trace${ending}`, 'open.css': 'trace.css' };
const ownFolder = join(import.meta.dirname, '../../../view');

const headersWith = (policy: string): Record<string, string> => ({
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
});

const hashesOf = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );

export function traceViewerRoutes(app: App, folder: string): void {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of files) {
    const name = relative(folder, path).replaceAll('\\', '/');
    if (unused.test(name)) continue;
    const inline = name.endsWith('.html') ? hashesOf(readFileSync(path, 'utf8')) : [];
    serveFile(app, [`/trace/${name}`], path, headersWith(policyOf(inline)));
  }
  for (const [name, file] of Object.entries(ownFiles))
    serveFile(app, [`/trace/${name}`], join(ownFolder, file), headersWith(ownPolicy));
}
