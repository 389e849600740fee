/**
 * The reference page at /docs. Scalar's script is served from here, and the page is our own two lines of HTML
 * around it, because Scalar's needs an inline script that a strict policy forbids:
 *
 *   /docs ──> /docs/scalar.js, /docs/start.js ──> /openapi.json     and no other host, whatever the script tries
 */
import { fastify } from 'fastify';
import { contentPolicy } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { pageSchema } from './schemas.ts';

const settings = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:," />
    <title>browserd API reference</title>
  </head>
  <body>
    <noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Scripts, requests, fonts and images from here alone. Inline styles are needed: Scalar writes its theme as such. */
const policy = contentPolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
});

/**
 * Scalar carries its script as one string inside its Fastify plugin, which takes 40 MB and a fifth of a second to load.
 * So it is loaded when the page is first opened, and asked for the script the only way it offers. Kept as bytes: a
 * string would be copied for each client, for as long as that client takes to read it.
 */
async function loadScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const shelf = fastify();
  await shelf.register(scalar, { routePrefix: '/docs', configuration: { url: settings.url } });
  const { statusCode, rawPayload } = await shelf.inject('/docs/js/scalar.js');
  if (statusCode !== 200) throw new Error(`Scalar's plugin answered ${statusCode} for its script`);
  return rawPayload;
}

export function referenceRoutes(app: App): void {
  let script: Promise<Buffer> | undefined;
  const schema = { hide: true };

  app.route({
    method: 'GET',
    url: '/docs',
    schema: pageSchema('ReferenceController_show', {
      summary: 'The reference page',
      description: 'This document for people. Everything it loads comes from the service itself.',
    }),
    handler: async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
        .send(page),
  });

  app.route({
    method: 'GET',
    url: '/docs/start.js',
    schema,
    handler: async (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .send(`Scalar.createApiReference('#app', ${JSON.stringify(settings)});\n`),
  });

  app.route({
    method: 'GET',
    url: '/docs/scalar.js',
    schema,
    handler: async (_request, reply) => {
      script ??= loadScript();
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=86400');
      return reply.send(await script);
    },
  });
}
