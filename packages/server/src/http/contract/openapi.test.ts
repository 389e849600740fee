import { expect, test } from 'vitest';
import { startTestService } from '../test-service.ts';

interface Operation {
  operationId: string;
  security?: unknown[];
  responses: Record<string, unknown>;
  parameters?: { name: string; in: string; required?: boolean; style?: string }[];
}

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
}

async function fetchDocument(): Promise<{ document: Document; text: string }> {
  await using service = await startTestService();
  const text = await (await service.call('/openapi.json', { key: null })).text();
  return { document: JSON.parse(text), text };
}

const operationsOf = (document: Document): [string, Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );

test('the document names every operation', async () => {
  const { document } = await fetchDocument();
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1/),
    info: { title: 'browserd', version: '0.1.0' },
  });
  const names = Object.fromEntries(
    operationsOf(document).map(([key, { operationId }]) => [key, operationId]),
  );
  expect(names).toEqual({
    'get /health': 'HealthController_live',
    'get /health/ready': 'HealthController_ready',
    'get /metrics': 'MetricsController_read',
    'get /': 'DashboardController_show',
    'get /docs': 'ReferenceController_show',
    'get /openapi.json': 'OpenapiController_show',
    'get /live/{id}': 'LivePageController_show',
    'post /mcp': 'McpController_answer',
    'get /v1/browsers': 'BrowserController_list',
    'get /v1/browsers/counts': 'BrowserController_count',
    'post /v1/browsers': 'BrowserController_create',
    'get /v1/browsers/{id}': 'BrowserController_get',
    'patch /v1/browsers/{id}': 'BrowserController_update',
    'delete /v1/browsers/{id}': 'BrowserController_delete',
    'get /v1/browsers/{id}/status': 'BrowserController_status',
    'post /v1/browsers/close': 'BrowserController_closeMany',
    'get /v1/browsers/{id}/tabs': 'TabController_list',
    'get /v1/browsers/{id}/tabs/{tabId}': 'TabController_get',
    'post /v1/browsers/{id}/tabs': 'TabController_open',
    'patch /v1/browsers/{id}/tabs/{tabId}': 'TabController_change',
    'delete /v1/browsers/{id}/tabs/{tabId}': 'TabController_close',
    'post /v1/browsers/{id}/stop': 'BrowserController_stop',
    'post /v1/browsers/{id}/resume': 'BrowserController_resume',
    'post /v1/browsers/{id}/script/execute': 'ScriptController_execute',
    'post /v1/browsers/{id}/computer': 'ComputerController_use',
    'post /v1/browsers/{id}/observe': 'ObserveController_observe',
    'post /v1/browsers/{id}/secrets/fill': 'SecretController_fill',
    'get /v1/extensions': 'ExtensionController_list',
    'post /v1/extensions': 'ExtensionController_create',
    'get /v1/extensions/{extensionId}': 'ExtensionController_get',
    'delete /v1/extensions/{extensionId}': 'ExtensionController_delete',
    'get /v1/fonts': 'FontController_list',
    'post /v1/fonts': 'FontController_create',
    'get /v1/fonts/{fontId}': 'FontController_get',
    'delete /v1/fonts/{fontId}': 'FontController_delete',
    'get /v1/files': 'ProjectFileController_list',
    'post /v1/files': 'ProjectFileController_create',
    'get /v1/files/{fileId}': 'ProjectFileController_get',
    'get /v1/files/{fileId}/content': 'ProjectFileController_content',
    'post /v1/files/{fileId}/address': 'ProjectFileController_address',
    'delete /v1/files/{fileId}': 'ProjectFileController_delete',
    'get /v1/secrets': 'SecretController_list',
    'post /v1/secrets': 'SecretController_create',
    'get /v1/secrets/{secretId}': 'SecretController_get',
    'patch /v1/secrets/{secretId}': 'SecretController_update',
    'delete /v1/secrets/{secretId}': 'SecretController_delete',
    'post /v1/browsers/{id}/screenshot': 'ScreenshotController_create',
    'post /v1/browsers/{id}/pdf': 'PdfController_create',
    'get /v1/browsers/{id}/captcha': 'CaptchaController_get',
    'post /v1/browsers/{id}/captcha/resolve': 'CaptchaController_resolve',
    'get /v1/browsers/{id}/events': 'BrowserEventController_list',
    'get /v1/events': 'EventController_list',
    'get /v1/profiles': 'ProfileController_list',
    'post /v1/profiles': 'ProfileController_create',
    'get /v1/profiles/{profileId}': 'ProfileController_get',
    'patch /v1/profiles/{profileId}': 'ProfileController_update',
    'delete /v1/profiles/{profileId}': 'ProfileController_delete',
    'get /v1/profiles/{profileId}/export': 'ProfileController_export',
    'get /v1/profiles/{profileId}/versions': 'ProfileController_versions',
    'post /v1/profiles/{profileId}/restore': 'ProfileController_restore',
    'post /v1/profiles/{profileId}/check': 'ProfileController_check',
    'post /v1/profiles/{profileId}/sign-in': 'ProfileController_signIn',
    'get /v1/webhooks': 'WebhookController_list',
    'post /v1/webhooks': 'WebhookController_create',
    'get /v1/webhooks/{webhookId}': 'WebhookController_get',
    'patch /v1/webhooks/{webhookId}': 'WebhookController_update',
    'delete /v1/webhooks/{webhookId}': 'WebhookController_delete',
    'get /v1/webhooks/{webhookId}/deliveries': 'DeliveryController_list',
    'post /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': 'DeliveryController_redeliver',
    'post /v1/webhooks/{webhookId}/test': 'WebhookController_test',
    'get /v1/browsers/{id}/recordings': 'RecordingController_list',
    'post /v1/browsers/{id}/recordings': 'RecordingController_create',
    'get /v1/browsers/{id}/recordings/{recordingId}': 'RecordingController_get',
    'get /v1/browsers/{id}/recordings/{recordingId}/content': 'RecordingController_content',
    'post /v1/browsers/{id}/recordings/{recordingId}/address': 'RecordingController_address',
    'post /v1/browsers/{id}/recordings/{recordingId}/stop': 'RecordingController_stop',
    'delete /v1/browsers/{id}/recordings/{recordingId}': 'RecordingController_delete',
    'get /v1/browsers/{id}/downloads': 'DownloadController_list',
    'get /v1/browsers/{id}/downloads/{downloadId}': 'DownloadController_get',
    'get /v1/browsers/{id}/downloads/{downloadId}/content': 'DownloadController_content',
    'post /v1/browsers/{id}/downloads/{downloadId}/address': 'DownloadController_address',
    'delete /v1/browsers/{id}/downloads/{downloadId}': 'DownloadController_delete',
    'post /v1/scrape': 'QuickController_scrape',
    'post /v1/screenshot': 'QuickController_screenshot',
    'post /v1/pdf': 'QuickController_pdf',
    'get /v1/jobs': 'JobController_list',
    'post /v1/jobs': 'JobController_create',
    'get /v1/jobs/{jobId}': 'JobController_get',
    'post /v1/jobs/{jobId}/cancel': 'JobController_cancel',
    'delete /v1/jobs/{jobId}': 'JobController_delete',
    'get /v1/jobs/{jobId}/results': 'JobController_results',
    'post /v1/browsers/{id}/scrape': 'ScrapeController_scrapeTab',
    'get /v1/browsers/{id}/files': 'FileController_list',
    'post /v1/browsers/{id}/files': 'FileController_create',
    'get /v1/browsers/{id}/files/{fileId}': 'FileController_get',
    'get /v1/browsers/{id}/files/{fileId}/content': 'FileController_content',
    'post /v1/browsers/{id}/files/{fileId}/address': 'FileController_address',
    'delete /v1/browsers/{id}/files/{fileId}': 'FileController_delete',
    'post /v1/browsers/{id}/capabilities': 'CapabilityController_create',
    'get /v1/browsers/{id}/live': 'LiveController_connect',
    'get /v1/browsers/{id}/handoff': 'HandoffController_get',
    'post /v1/browsers/{id}/handoff': 'HandoffController_request',
    'delete /v1/browsers/{id}/handoff': 'HandoffController_end',
    'get /v1/browsers/{id}/cdp': 'CdpController_connect',
    'get /v1/browsers/{id}/cdp/devtools/page/{targetId}': 'CdpController_connectPage',
    'get /v1/browsers/{id}/cdp/json/version': 'CdpController_version',
    'get /v1/browsers/{id}/cdp/json/list': 'CdpController_list',
    'get /v1/browsers/{id}/cdp/json/protocol': 'CdpController_protocol',
    'put /v1/browsers/{id}/cdp/json/new': 'CdpController_open',
    'get /v1/browsers/{id}/cdp/json/activate/{targetId}': 'CdpController_activate',
    'get /v1/browsers/{id}/cdp/json/close/{targetId}': 'CdpController_close',
    'get /v1/browsers/{id}/dialogs': 'DialogController_list',
    'post /v1/browsers/{id}/dialogs/{dialogId}': 'DialogController_answer',
    'get /v1/browsers/{id}/network': 'NetworkController_list',
    'get /v1/browsers/{id}/network/{requestId}': 'NetworkController_get',
    'get /v1/browsers/{id}/network/{requestId}/content': 'NetworkController_content',
    'post /v1/browsers/{id}/har': 'HarController_create',
    'get /v1/browsers/{id}/permissions': 'PermissionController_get',
    'post /v1/browsers/{id}/permissions': 'PermissionController_set',
    'post /v1/browsers/{id}/permissions/clear': 'PermissionController_clear',
    'get /v1/keys': 'KeyController_list',
    'post /v1/keys': 'KeyController_create',
    'delete /v1/keys/{keyId}': 'KeyController_revoke',
    'get /v1/nodes': 'NodeController_list',
    'get /v1/nodes/{nodeId}': 'NodeController_get',
    'post /v1/nodes/{nodeId}/drain': 'NodeController_drain',
  });
});

test('every reference leads somewhere, and every schema is referred to', async () => {
  const { document, text } = await fetchDocument();
  const refs = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name));
  expect([...refs].sort()).toEqual(Object.keys(document.components.schemas).sort());
  expect([...refs].filter((name) => name?.endsWith('Input'))).toEqual([]);
});

test('everything under /v1, the metrics and the tools for models list the failures of a missing key and need one, or a token; nothing else does', async () => {
  const { document } = await fetchDocument();
  for (const [name, operation] of operationsOf(document)) {
    const isProtected = / \/(v1\/|metrics$|mcp$)/.test(name);
    const takesToken =
      /\/v1\/.*\/(cdp|live)|^POST .*\/browsers\/.*\/files$|\/(files|downloads|recordings)\/.*\/content$/i.test(
        name,
      )
        ? [{ bearer: [] }, { token: [] }]
        : undefined;
    expect([name, operation.security]).toEqual([name, isProtected ? takesToken : []]);
    expect([name, '401' in operation.responses]).toEqual([name, isProtected]);
  }
});

test('only what can need a part that is missing on this server answers 501', async () => {
  const { document } = await fetchDocument();
  const given = operationsOf(document).filter(([, { responses }]) => '501' in responses);
  // an engine at create, what makes videos, extensions, which an operator can switch off, and fonts, not on macOS
  expect(given.map(([name]) => name).toSorted()).toEqual([
    'delete /v1/extensions/{extensionId}',
    'post /v1/browsers',
    'post /v1/browsers/{id}/recordings',
    'post /v1/extensions',
    'post /v1/fonts',
  ]);
});

test('headers and the filter by metadata are described as they are sent', async () => {
  const { document } = await fetchDocument();
  const parameters = (path: string, method: string) => document.paths[path]?.[method]?.parameters ?? [];
  const key = { in: 'header', name: 'Idempotency-Key' };
  expect(parameters('/v1/browsers', 'post')).toContainEqual(
    expect.objectContaining({ ...key, required: true }),
  );
  expect(parameters('/v1/browsers/{id}/stop', 'post')).toContainEqual(
    expect.objectContaining({ ...key, required: false }),
  );
  expect(parameters('/v1/browsers', 'get')).toContainEqual(
    expect.objectContaining({ name: 'metadata', style: 'deepObject' }),
  );
});

test('the reference page and what it loads come from here alone', async () => {
  await using service = await startTestService();
  const page = await service.call('/docs', { key: null });
  const html = await page.text();
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(html).not.toMatch(/https?:|<script>/);
  const sources = [...html.matchAll(/src="([^"]+)"/g)].map(([, source]) => source as string);
  expect(sources).toEqual(['/docs/scalar.js', '/docs/start.js']);
  for (const source of sources) {
    const script = await service.call(source, { key: null });
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect((await script.text()).length).toBeGreaterThan(100);
  }
});
