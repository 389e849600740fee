import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definitions } from '../../src/metrics/metrics.ts';
import type { Api } from '../support/client.ts';
import { named, upload } from '../support/file-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let api: Api;

beforeAll(async () => {
  site = await startSite();
  server = await startServer({
    BROWSERD_POOL_SIZE: '1',
    BROWSERD_METRICS_TOKEN: 'the-token-of-the-collector',
    BROWSERD_STORAGE_QUOTA: '1MiB',
    BROWSERD_MAX_BROWSERS: '7',
  });
  api = server.api;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

type Numbers = Map<string, number>;

const read = (text: string): Numbers =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
const scrape = async (): Promise<Numbers> => read((await api.call('GET', '/metrics')).body);
const ask = (headers: Record<string, string>): Promise<Response> => fetch(`${api.url}/metrics`, { headers });

describe('the numbers', () => {
  test('of two browsers are right', async () => {
    const policy = { privateAccess: { localhost: true } };
    const [first, second] = [(await api.create({ policy })).body.id, (await api.create()).body.id];
    const run = (id: string, code: string) =>
      api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    const before = await scrape();
    expect(before.get('browserd_browsers{status="ready"}')).toBe(2);
    expect(before.get('browserd_browsers{status="stopped"}')).toBe(0);
    expect(before.get('browserd_capacity_used')).toBe(2);
    expect(before.get('browserd_capacity_limit')).toBe(7);
    expect(before.get('browserd_events_total{type="browser.created"}')).toBe(2);
    const starts = ['warm', 'cold'].map(
      (chromium) =>
        before.get(`browserd_browser_start_seconds_count{how="create",chromium="${chromium}"}`) ?? 0,
    );
    expect(starts[0]! + starts[1]!).toBe(2);

    await run(first, `await page.goto('${site.origin}/')`);
    await run(first, 'throw new Error("x")');
    await run(second, `await page.goto('${site.origin}/').catch(() => 0)`);
    await api.stop(second);
    await upload(api, first, named('kept.txt'), { body: '12345' });
    await upload(api, first, named('big.bin'), { body: new Uint8Array(2 * 1024 ** 2) });
    await api.call('GET', '/v1/browsers/browser_nobody');
    await api.call('GET', '/nowhere/browser_nobody');

    const after = await scrape();
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(after.get('browserd_browsers{status="ready"}')).toBe(1);
    expect(after.get('browserd_browsers{status="stopped"}')).toBe(1);
    expect(after.get('browserd_capacity_used')).toBe(1);
    expect(grown('browserd_events_total{type="browser.stopped"}')).toBe(1);
    expect(grown('browserd_scripts_total{outcome="ok"}')).toBe(2);
    expect(grown('browserd_scripts_total{outcome="SCRIPT_FAILED"}')).toBe(1);
    expect(grown('browserd_script_seconds_count')).toBe(3);
    expect(after.get('browserd_script_queue')).toBe(0);
    expect(grown('browserd_egress_bytes_total{direction="in"}')).toBeGreaterThan(100);
    expect(grown('browserd_egress_refused_total')).toBeGreaterThanOrEqual(1);
    expect(grown('browserd_artifacts_total{kind="file"}')).toBe(1);
    expect(grown('browserd_artifact_bytes_total{kind="file"}')).toBe(5);
    expect(after.get('browserd_artifacts_stored_bytes')).toBe(5);
    expect(grown('browserd_artifacts_refused_total{code="QUOTA_EXCEEDED"}')).toBe(1);
    expect(grown('browserd_errors_total{code="BROWSER_NOT_FOUND"}')).toBe(1);
    const route = 'route="/v1/browsers/:id/script/execute"';
    expect(grown(`browserd_http_requests_total{method="POST",${route},status="200"}`)).toBe(3);
    expect(grown(`browserd_http_request_seconds_count{method="POST",${route}}`)).toBe(3);
    expect(grown('browserd_http_requests_total{method="GET",route="none",status="404"}')).toBe(1);
    expect(after.get('browserd_http_connections')).toBeGreaterThanOrEqual(1);

    await api.resume(second);
    await Promise.all([api.remove(first), api.remove(second)]);
    const last = await eventually(scrape, (found) => found.get('browserd_capacity_used') === 0);
    expect(last.get('browserd_events_total{type="browser.closed"}')).toBe(2);
    expect(last.get('browserd_browser_start_seconds_count{how="resume",chromium="cold"}')).toBe(1);
    // what closed browsers have sent and received is not forgotten
    expect(last.get('browserd_egress_bytes_total{direction="in"}')).toBeGreaterThanOrEqual(
      after.get('browserd_egress_bytes_total{direction="in"}') ?? 0,
    );
  });

  test('count events of downloads and recordings like all others', async () => {
    const policy = { privateAccess: { localhost: true } };
    const { id } = (await api.create({ policy, recording: true })).body;
    const code = `await page.goto('${site.origin}/');
      const started = page.waitForEvent('download');
      await page.evaluate(() => {
        const link = Object.assign(document.createElement('a'), { href: 'data:text/plain,x', download: 'x.txt' });
        document.body.append(link);
        link.click();
      });
      await (await started).path();`;
    await api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    await api.remove(id);
    const written = async (): Promise<string[]> => {
      const { body } = await api.call('GET', `/v1/browsers/${id}/events?limit=100`);
      return body.items.map(({ type }: { type: string }) => type);
    };
    const types = await eventually(written, (found) =>
      ['download.completed', 'recording.ready'].every((type) => found.includes(type)),
    );
    const counted = await scrape();
    for (const type of types.filter((each) => /^(download|recording)\./.test(each)))
      expect([type, counted.get(`browserd_events_total{type="${type}"}`)]).toEqual([
        type,
        types.filter((each) => each === type).length,
      ]);
  });

  test('are those of the documentation, all of them and no other, with only the labels it names', async () => {
    const text: string = (await api.call('GET', '/metrics')).body;
    const shown = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(Object.entries(definitions).map(([name, { type }]) => [name, type])),
    );
    expect(read(text).get('browserd_metrics_failed')).toBe(0);
    const samples = [...read(text).keys()];
    for (const name of [
      'browserd_build_info',
      'browserd_disk_free_bytes',
      'browserd_event_loop_delay_seconds',
      'process_resident_memory_bytes',
      'process_open_fds',
    ])
      expect(samples.some((sample) => sample.startsWith(name))).toBe(true);
    expect(text).not.toMatch(/browser_[0-9a-z]{26}|127\.0\.0\.1|bd_/);
  });

  test('come as OpenMetrics to who accepts that', async () => {
    const plain = await ask({ authorization: `Bearer ${api.key}` });
    expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const accept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5';
    const open = await ask({ authorization: `Bearer ${api.key}`, accept });
    expect(open.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    const text = await open.text();
    expect(text).toContain('# TYPE browserd_events counter');
    expect(text).toMatch(/^browserd_events_total\{type="browser\.created"\} \d+$/m);
    expect(text).not.toContain('\n\n');
    expect(text.endsWith('\n# EOF\n')).toBe(true);
    expect(await plain.text()).toContain('# TYPE browserd_events_total counter');
  });
});

describe('who may read them', () => {
  test('admins and the collector, with its token, which opens nothing else', async () => {
    const member = (await api.call('POST', '/v1/keys', { body: { name: 'm', role: 'member' } })).body;
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer the-token-of-the-collectoR' })).status).toBe(401);
    expect((await ask({ authorization: `Bearer ${member.key}` })).status).toBe(403);
    const token = { authorization: 'Bearer the-token-of-the-collector' };
    expect((await ask(token)).status).toBe(200);
    expect((await fetch(`${api.url}/v1/browsers`, { headers: token })).status).toBe(401);
  });

  test('everybody, or nobody, where it is configured so', async () => {
    for (const [mode, status] of [
      ['open', 200],
      ['off', 404],
    ] as const) {
      await using other = await startServer({
        BROWSERD_METRICS: mode,
      });
      expect((await fetch(`${other.api.url}/metrics`)).status).toBe(status);
    }
  });
});
