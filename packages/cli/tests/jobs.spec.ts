import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../server/tests/support/server.ts';
import { type CliWorld, startCliWorld } from './cli-world.ts';

const page = (name: string, ...links: string[]): string =>
  `<!doctype html><title>${name}</title><main><h1>${name}</h1><p>The text of ${name}.</p>
    ${links.map((link) => `<a href="${link}">${link}</a>`).join(' ')}</main>`;

let world: CliWorld;
let { site, cli } = {} as CliWorld;
beforeAll(async () => {
  world = await startCliWorld({
    '/shop/': page('Shop', '/shop/a', '/shop/a/b', '/shop/missing'),
    '/shop/a': page('Apples', '/shop/'),
    '/shop/a/b': page('Pears', '/shop/?page=2'),
  });
  ({ site, cli } = world);
});
afterAll(() => world[Symbol.asyncDispose]());

const here = ['--allow-private', 'localhost'];
const at = (name: string): string => join(cli.folder, name);
const read = (name: string): Promise<string> => readFile(at(name), 'utf8');
const index = async (folder: string): Promise<Record<string, unknown>[]> =>
  (await read(`${folder}/index.ndjson`))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const addresses = (...paths: string[]): string => paths.map((path) => `${site.origin}${path}\n`).join('');

describe('a batch', () => {
  test('becomes a folder with a file for each page and an index', async () => {
    await writeFile(
      at('list.txt'),
      `# what to read\n${addresses('/shop/', '/shop/a', '/shop/a/b')}{"html": "<h1>Mine</h1>"}\n`,
    );
    const { code, stdout, stderr } = await cli.run(
      'batch',
      'list.txt',
      '--out',
      'batch',
      '--concurrency',
      '1',
      ...here,
    );
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^job_\w+ has begun\.\n/)]);
    expect(stdout).toMatch(/^4 pages in batch in .*\n$/);
    const lines = await index('batch');
    expect(lines.map(({ url, status, title }) => [url, status, title]).slice(1, 3)).toEqual([
      [`${site.origin}/shop/a`, 'done', 'Apples'],
      [`${site.origin}/shop/a/b`, 'done', 'Pears'],
    ]);
    for (const { file } of lines) expect(await read(`batch/${file}`)).toMatch(/The text of|Mine/);
    expect((await readdir(at('batch'))).length).toBe(5);

    const again = await cli.run('batch', 'list.txt', '--out', 'batch');
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining('has the results of a job already'),
    ]);
  });

  test('takes its list from a pipe, and gives pictures', async () => {
    const args = ['batch', '-', '--action', 'screenshot', '--out', 'pictures', '--json', ...here];
    const { code, stdout, stderr } = await cli.start(args, { stdin: addresses('/shop/', '/shop/a') }).ended;
    expect([code, stderr]).toEqual([0, '']);
    const done = JSON.parse(stdout);
    expect(done).toMatchObject({
      job: { kind: 'batch', action: 'screenshot' },
      folder: 'pictures',
      files: 2,
    });
    for (const { file } of await index('pictures')) {
      expect(file).toMatch(/\.png$/);
      expect((await readFile(at(`pictures/${file}`))).subarray(1, 4).toString()).toBe('PNG');
    }
  });

  test('of which every page fails has failed, with the reasons in the index', async () => {
    const args = ['batch', '-', '--out', 'refused', '--retries', '0'];
    const { code, stderr } = await cli.runWith({ stdin: 'http://10.0.0.1/\n' }, ...args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Every page of job_\w+ failed\. See: browserd jobs results job_/),
    ]);
    expect(await index('refused')).toMatchObject([
      { status: 'failed', file: null, error: { code: expect.any(String) } },
    ]);
  });

  test('that is interrupted is cancelled, says so, and leaves what is there', async () => {
    const args = [
      'batch',
      '-',
      '--out',
      'cut',
      '--concurrency',
      '1',
      '--options',
      '{"timeoutMs": 120000}',
      ...here,
    ];
    const running = cli.start(args, { stdin: addresses('/shop/a', '/gate') });
    const begun = await running.printed(/job_\w+ has begun/);
    const id = /job_\w+/.exec(begun)?.[0] ?? '';
    await eventually(
      () => index('cut').catch(() => []),
      (lines) => lines.length === 1,
    );
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining(`${id} is cancelled.`)]);
    expect(await cli.json('jobs', 'get', id)).toMatchObject({ status: 'cancelled' });
    expect((await index('cut')).map(({ title }) => title)).toEqual(['Apples']);
    const rest = await cli.run('batch', '--resume', id, '--out', 'cut');
    expect([rest.code, rest.stderr]).toEqual([1, expect.stringContaining(`${id} was cancelled.`)]);
    expect((await index('cut')).filter(({ file }) => file !== null)).toHaveLength(1);
  });
});

describe('jobs', () => {
  test('are left to the service, looked at, fetched later, and deleted', async () => {
    const { stdout } = await cli.runWith(
      { stdin: addresses('/shop/', '/shop/missing') },
      'batch',
      '-',
      '--detach',
      '--name',
      'later',
      ...here,
    );
    const id = stdout.trim();
    expect(id).toMatch(/^job_\w+$/);
    const over = () => cli.json('jobs', 'get', id);
    await eventually(over, ({ status }) => status === 'completed');
    expect((await cli.run('jobs', 'get', id)).stdout).toMatch(/status +completed\nprogress +2 of 2/);
    expect((await cli.run('jobs', 'list', '--kind', 'batch')).stdout).toMatch(
      /^ID .*\njob_\w+ +batch +completed +\d+ .*later/,
    );
    expect(await cli.json('jobs', 'list', '--status', 'running')).toEqual([]);
    const results = await cli.json('jobs', 'results', id);
    expect(results.map(({ statusCode }: { statusCode: number }) => statusCode).sort()).toEqual([200, 404]);
    expect((await cli.run('jobs', 'results', id, '--status', 'done')).stdout).toMatch(
      /^SEQ +STATUS +HTTP .*\n/,
    );

    const fetched = await cli.json('batch', '--resume', id, '--out', 'later');
    expect(fetched).toMatchObject({ job: { id, name: 'later' }, files: results.length });
    expect(await cli.json('batch', '--resume', id, '--out', 'later')).toMatchObject({ files: 0 });

    const both = await cli.run('jobs', 'cancel', id);
    expect(both.code).toBe(1);
    expect(await cli.json('jobs', 'delete', id)).toEqual([{ id, deleted: true }]);
    expect((await cli.run('jobs', 'get', id)).stderr).toContain('JOB_NOT_FOUND');
  });

  test('need a folder, and something to do', async () => {
    for (const [args, said] of [
      [['crawl', site.origin], '--out FOLDER'],
      [['crawl', '--out', 'x'], 'Which site?'],
      [['batch', '--out', 'x'], 'Which pages?'],
      [['batch', '-', '--out', 'x', '--options', '[]'], 'takes a JSON object'],
      [['crawl', '--resume', 'job_1', '--detach'], '--detach is for a new job'],
      [['crawl', site.origin, '--detach', '--out', 'x'], 'nothing is fetched now'],
    ] as const) {
      const { code, stderr } = await cli.runWith({ stdin: addresses('/shop/') }, ...args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(said)]);
    }
  });
});

describe('a site', () => {
  test('is crawled into a folder, by its links', async () => {
    const { code, stdout } = await cli.run(
      'crawl',
      `${site.origin}/shop/`,
      '--out',
      'shop',
      '--include',
      '/shop/*',
      ...here,
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/pages in shop/)]);
    const files = Object.fromEntries(
      (await index('shop')).map(({ url, file }) => [String(url).replace(site.origin, ''), file]),
    );
    expect(files).toMatchObject({ '/shop/': 'shop.md', '/shop/a': 'shop-a.md', '/shop/a/b': 'shop-a-b.md' });
    expect(await read('shop/shop-a-b.md')).toContain('The text of Pears.');
  });

  test('is mapped, an address a line', async () => {
    const { code, stdout } = await cli.run('map', `${site.origin}/shop/`, ...here);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual(
      expect.arrayContaining([`${site.origin}/shop/a`, `${site.origin}/shop/a/b`]),
    );
    const found = await cli.json('map', `${site.origin}/shop/`, '--max-pages', '2', ...here);
    expect(found).toHaveLength(2);
  });
});
