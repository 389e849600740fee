import { type api, Browserd } from '@browserd/sdk';
import { expect } from 'vitest';
import { lineTo } from './cut-line.ts';
import { caught, type Stories } from './story-world.ts';

const options = { policy: { privateAccess: { localhost: true } } };

/** Many pages by one call. */
export const jobStories: Stories = {
  'a batch is followed over a line that breaks, each result once, and is read again in pages': async ({
    client,
    server,
    site,
    covered,
  }) => {
    await using line = await lineTo(server.api.url);
    const far = new Browserd({ baseUrl: line.url, apiKey: server.api.key, fetch: covered.fetch });
    const items = ['/', '/form', '/shop', '/other'].map((path) => ({ url: site.origin + path }));
    const seen: api.JobResult[] = [];
    let made: api.Job | undefined;
    const note = (job: api.Job): void => {
      made = job;
    };
    for await (const page of far.jobs.batch({ items, options, name: 'all' }, { onCreated: note })) {
      seen.push(page);
      line.cut();
    }
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(seen.map(({ scraped }) => scraped?.title).sort()).toEqual(['Form', 'Shop', 'home', 'other']);
    const id = made?.id ?? '';
    expect(await client.jobs.get(id)).toMatchObject({ status: 'completed', progress: { done: 4, total: 4 } });
    expect(await client.jobs.results(id, { limit: 2, status: 'done' }).all()).toEqual(seen);
    const after: number[] = [];
    for await (const { seq } of client.jobs.follow(id, { after: 2 })) after.push(seq);
    expect(after).toEqual([3, 4]);
    expect(
      (await client.jobs.list({ kind: 'batch', status: 'completed' }).all()).map((job) => job.id),
    ).toContain(id);
    expect(await client.jobs.delete(id)).toEqual({ id, deleted: true });
    expect(await caught(client.jobs.get(id))).toMatchObject({ code: 'JOB_NOT_FOUND' });
  },

  'pictures of a batch are files of the project': async ({ client }) => {
    const job = await client.jobs.create({
      kind: 'batch',
      action: 'screenshot',
      items: [{ html: '<h1>One</h1>' }],
    });
    expect(await client.jobs.wait(job.id)).toMatchObject({ status: 'completed' });
    const [page] = await client.jobs.results(job.id).all();
    const content = await client.files.content(page?.file?.id ?? '');
    expect([content.mimeType, content.size]).toEqual(['image/png', page?.file?.size]);
    expect(
      Buffer.from(await content.bytes())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await client.jobs.delete(job.id);
    expect(await caught(client.files.content(page?.file?.id ?? ''))).toMatchObject({ status: 404 });
  },

  'a loop that is left early cancels its job': async ({ client, site }) => {
    const items = ['/', '/gate'].map((path) => ({ url: site.origin + path }));
    let id = '';
    const onCreated = (job: api.Job): void => {
      id = job.id;
    };
    for await (const page of client.jobs.batch(
      { items, options: { ...options, timeoutMs: 120_000 }, concurrency: 1 },
      { onCreated },
    )) {
      expect(page.status).toBe('done');
      break;
    }
    expect(await client.jobs.get(id)).toMatchObject({ status: 'cancelled' });
    expect(await caught(client.jobs.cancel(id))).toMatchObject({ status: 409 });
  },

  'a site is crawled and mapped': async ({ client, site }) => {
    const titles: (string | undefined)[] = [];
    for await (const page of client.jobs.crawl({ url: `${site.origin}/shop`, options }))
      titles.push(page.scraped?.title);
    expect(titles).toEqual(expect.arrayContaining(['Shop', 'Form']));
    const addresses: (string | null)[] = [];
    for await (const { url } of client.jobs.map({ url: `${site.origin}/shop`, options })) addresses.push(url);
    expect(addresses).toEqual(expect.arrayContaining([`${site.origin}/form`]));
  },
};
