import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../server/tests/server.ts';
import { type Site, startSite } from '../../server/tests/site.ts';
import { type CommandLine, commandLine } from './command-line.ts';
import { startRelay } from './relay.ts';

let site: Site;
let server: TestServer;
let cli: CommandLine;
beforeAll(async () => {
  site = await startSite();
  server = await startServer({ BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost' });
  cli = await commandLine({ BROWSERD_URL: server.service.url, BROWSERD_API_KEY: server.api.key });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
  await cli[Symbol.asyncDispose]();
});

const living = 'creating,ready,stopping,stopped,resuming,recovering,failed,closing';
const livingIds = async (): Promise<string[]> =>
  (await server.api.call('GET', `/v1/browsers?status=${living}`)).body.items.map(
    ({ id }: { id: string }) => id,
  );
const createBrowser = async (settings: object = {}): Promise<string> =>
  (await server.api.create({ policy: { privateAccess: { localhost: true } }, ...settings })).body.id;

describe('a browser', () => {
  test('lives its whole life by commands', async () => {
    const made = await cli.json(
      ...['browsers', 'create', `${site.origin}/other`, '--name', 'shop', '--metadata', 'team=red'],
      ...['--viewport', '800x600', '--max-duration', '1h', '--allow-private', 'localhost'],
    );
    expect(made).toMatchObject({
      name: 'shop',
      status: 'ready',
      metadata: { team: 'red' },
      maxDuration: 3_600_000,
      policy: { privateAccess: { localhost: true } },
    });
    const [table, filtered, byName, bySuffix, status, address, completed] = await Promise.all([
      cli.run('browsers', 'list'),
      cli.json('browsers', 'list', '--metadata', 'team=blue'),
      cli.run('browsers', 'get', 'shop'),
      cli.json('browsers', 'get', made.id.slice(-8)),
      cli.run('browsers', 'status', made.id),
      cli.run('browsers', 'open', 'shop', '--print'),
      cli.run('complete', 'browsers'),
    ]);
    expect(table.stdout).toMatch(/^ID +NAME +STATUS .*\nbrowser_\w+ +shop +ready /);
    expect(filtered).toEqual([]);
    expect(byName.stdout).toContain('800x600@1');
    expect(bySuffix.id).toBe(made.id);
    expect(status.stdout).toContain(`${site.origin}/other`);
    expect(address.stdout).toMatch(/^http:\/\/[^\s]+\/live\/browser_\w+#\S+\n$/);

    expect(completed.stdout).toBe(`${made.id}\nshop\n`);

    expect((await cli.json('browsers', 'update', 'shop', '--name', 'store')).name).toBe('store');
    expect((await cli.run('browsers', 'stop', 'store')).stdout).toBe(`${made.id} is stopped\n`);
    expect((await cli.run('browsers', 'resume', 'store', '--quiet')).stdout).toBe(`${made.id}\n`);
    const [closed] = await cli.json('browsers', 'close', 'store');
    expect(closed).toMatchObject({ id: made.id, status: 'closed' });
    expect(closed.receipt.processesEnded).toBeGreaterThan(0);
    expect(await livingIds()).toEqual([]);
  });

  test('is never mistaken for another', async () => {
    const first = await createBrowser({ name: 'twin' });
    const second = await createBrowser({ name: 'twin' });
    const [twins, start, both, unasked] = await Promise.all([
      cli.run('browsers', 'close', 'twin'),
      cli.run('browsers', 'close', first.slice(0, 14)),
      cli.run('browsers', 'close', first, 'nobody'),
      cli.run('browsers', 'close', '--all'),
    ]);
    for (const { code, stderr } of [twins, start]) {
      expect(code).toBe(1);
      expect(stderr).toContain(first);
      expect(stderr).toContain(second);
    }
    expect(both).toMatchObject({ code: 1, stdout: '' });
    expect(unasked).toMatchObject({ code: 2, stdout: '' });
    expect(unasked.stderr).toContain('--yes');
    expect((await livingIds()).length).toBe(2);
    expect(await cli.json('browsers', 'close', '--all', '--yes')).toHaveLength(2);
  });

  test('with a hostile page is shown as plain text', async () => {
    const id = await createBrowser();
    const code =
      'await page.evaluate((title) => { document.title = title }, args); console.log(args); return args';
    const title = '\u001b[2J\u009b31m\u202eevil\u0007 title';
    const shown = await cli.run('run', '--browser', id, '--code', code, '--args', JSON.stringify(title));
    expect(shown.stdout).toBe(`${title}\n`);
    expect(shown.stderr).toBe('[2J31mevil title\n');
    const status = await cli.run('browsers', 'status', id);
    expect(status.stdout).toContain('31mevil title');
    expect(status.stdout).not.toMatch(/[^\n\x20-\x7e…]/);
    await server.api.remove(id);
  });
});

describe('run', () => {
  const greets = `import type { Scope } from '@browserd/sdk';
const greeting = (name: string): string => \`Hello \${name}\`;
export default async ({ page, args }: Scope<{ name: string; at: string }>) => {
  console.log('going', args.at);
  await page.goto(args.at);
  if (args.name === '') throw new RangeError('nobody');
  return { title: await page.title(), text: greeting(args.name) };
};
`;
  const args = (name: string): string => JSON.stringify({ name, at: `${site.origin}/other` });
  const inNew = ['--new', '--allow-private', 'localhost'];

  test('prints the result of a file, and around it what happened; the new browser is gone afterwards', async () => {
    await writeFile(join(cli.folder, 'greet.ts'), greets);
    await writeFile(join(cli.folder, 'args.json'), args('Ann'));
    const picture = join(cli.folder, 'after.png');
    const [person, program] = await Promise.all([
      cli.run('run', 'greet.ts', ...inNew, '--args', '@args.json', '--screenshot', picture),
      cli.json('run', 'greet.ts', ...inNew, '--args', args('Bob'), '--observe', 'text'),
    ]);
    expect(person.code, person.stderr).toBe(0);
    expect(JSON.parse(person.stdout)).toEqual({ title: 'other', text: 'Hello Ann' });
    expect(person.stderr).toContain(`going ${site.origin}/other`);
    expect(person.stderr).toContain(`tab.navigated  ${site.origin}/other`);
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');
    expect(program).toMatchObject({
      success: true,
      result: { text: 'Hello Bob' },
      observation: { kind: 'text' },
    });
    expect(await livingIds()).toEqual([]);
  });

  test('of code that fails ends with 1 and names the place in the file', async () => {
    const [failed, imports, lost] = await Promise.all([
      cli.run('run', 'greet.ts', ...inNew, '--args', args('')),
      cli.runWith({ stdin: "import fs from 'node:fs'" }, 'run', '-', '--new'),
      cli.run('run', '--code', 'return 1'),
    ]);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('SCRIPT_FAILED: nobody');
    expect(failed.stderr).toMatch(/at \$main \(greet\.ts:6:\d+\)\nnext step: observe/);
    expect(imports).toMatchObject({ code: 2, stdout: '' });
    expect(imports.stderr).toContain("stdin:1 imports 'node:fs'");
    expect(lost).toMatchObject({ code: 2 });
    expect(await livingIds()).toEqual([]);
  });

  test('leaves no browser behind when it is interrupted, whatever it was about to do', async () => {
    await using relay = await startRelay(server.service.url);
    const code = 'await page.goto(args); await sleep(60000)';
    const args = ['run', ...inNew, '--code', code, '--args', `"${site.origin}/other"`];
    const inScript = cli.start(args);
    const inCreate = cli.start(args, { env: { BROWSERD_URL: relay.url } });
    await relay.created;
    inCreate.child.kill('SIGINT');
    await inScript.printed(/tab\.navigated/);
    inScript.child.kill('SIGINT');
    expect((await inScript.ended).code).toBe(130);
    expect((await inCreate.ended).code).toBe(130);
    expect(await livingIds()).toEqual([]);
  });
});

describe('one page', () => {
  const html = '<!doctype html><title>Page</title><main><h1>Bread</h1><p>Flour and water.</p></main>';

  test('is read, pictured and printed', async () => {
    const png = join(cli.folder, 'page.png');
    const [text, whole, picture, pdf] = await Promise.all([
      cli.runWith({ stdin: html }, 'scrape', '-'),
      cli.runWith({ stdin: html }, 'scrape', '-', '--json', '--include', 'headings'),
      cli.runWith({ stdin: html }, 'screenshot', '-', '-o', png, '--viewport', '300x200'),
      cli.runWith({ stdin: html }, 'pdf', '-', '--paper', 'a4'),
    ]);
    expect(text.stdout).toContain('# Bread\n\nFlour and water.');
    expect(JSON.parse(whole.stdout)).toMatchObject({ title: 'Page', headings: [{ text: 'Bread' }] });
    expect(picture.stdout).toContain(png);
    expect((await readFile(png)).readUInt32BE(16)).toBe(300);
    expect(pdf.stdout.slice(0, 5)).toBe('%PDF-');
  });
});

describe('what a browser holds', () => {
  test('is uploaded, downloaded, saved and deleted', async () => {
    const id = await createBrowser();
    const upload = ['files', 'upload', id, '-', '--name', 'data.csv', '--json'];
    const sent = await cli.runWith({ stdin: 'a,b\n1,2\n' }, ...upload);
    const [file] = JSON.parse(sent.stdout) as [{ id: string; size: number }];
    expect(file.size).toBe(8);
    const starts = `await page.setContent('<a download="report.txt" href="data:text/plain,done">x</a>');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('a')]); await download.path().catch(() => {})`;
    expect((await cli.run('run', '-b', id, '--code', starts)).code).toBe(0);
    const [download] = await cli.json('downloads', 'list', id);
    expect(download.suggestedFilename).toBe('report.txt');

    const [saved, piped, kept] = await Promise.all([
      cli.run('files', 'download', id, file.id),
      cli.run('files', 'download', id, file.id, '-o', '-'),
      cli.json('downloads', 'save', id, download.id, '--wait'),
    ]);
    expect(saved.stdout).toBe('data.csv (8 B)\n');
    expect(piped.stdout).toBe('a,b\n1,2\n');
    expect(kept).toMatchObject({ path: 'report.txt', id: download.id });
    expect(await readFile(join(cli.folder, 'report.txt'), 'utf8')).toBe('done');

    const [again, forced, table] = await Promise.all([
      cli.run('files', 'download', id, file.id),
      cli.run('downloads', 'save', id, download.id, '--force'),
      cli.run('files', 'list', id),
    ]);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(forced.code).toBe(0);
    expect(table.stdout).toMatch(/^ID .*\nfile_\w+ +data\.csv +8 B/);
    expect(await cli.json('files', 'delete', id, file.id)).toEqual([{ id: file.id, deleted: true }]);
    await server.api.remove(id);
  });

  test('is recorded, and a person is asked for', async () => {
    const id = await createBrowser();
    const { id: recordingId } = await cli.json('recordings', 'start', id);
    const asked = await cli.json('handoff', 'request', id, '-m', 'Please sign in.');
    expect(asked).toMatchObject({ state: 'requested', message: 'Please sign in.' });
    expect((await cli.run('handoff', 'end', id)).stdout).toMatch(/^drives +scripts\n/);
    expect((await cli.run('handoff', 'wait', id)).code).toBe(0);
    expect(await cli.json('recordings', 'stop', id, '--wait')).toMatchObject({
      id: recordingId,
      state: 'ready',
    });
    const saved = await cli.json('recordings', 'save', id, recordingId, '-o', 'life.webm');
    expect((await stat(join(cli.folder, 'life.webm'))).size).toBe(saved.size);
    await server.api.remove(id);
  });
});

describe('events', () => {
  test('are listed, followed by programs until interrupted, and end quietly when nobody reads any more', async () => {
    const follower = cli.start(['events', '--follow', '--json', '--type', 'browser.*', '--since', '0']);
    const headed = cli.start(['events', '--follow', '--since', '0']);
    await headed.printed(/browser\.created/);
    headed.child.stdout?.destroy();
    const id = await createBrowser();
    await server.api.remove(id);
    const lines = await follower.printed(new RegExp(`browser.closed","browserId":"${id}.*\\n`));
    for (const line of lines.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ type: expect.stringMatching(/^browser\./), data: {} });
    follower.child.kill('SIGINT');
    expect((await follower.ended).code).toBe(130);
    expect(await headed.ended).toMatchObject({ code: 0, stderr: '' });
    const listed = await cli.json('events', '-n', '3', '--type', 'browser.*');
    expect(listed.map(({ type }: { type: string }) => type)).toEqual([
      'browser.ready',
      'browser.closing',
      'browser.closed',
    ]);
  });
});

describe('around it', () => {
  test('keys and webhooks are made, listed and taken away', async () => {
    const key = await cli.json('keys', 'create', 'ci', '--expires', '1h');
    expect(key).toMatchObject({ name: 'ci', role: 'member' });
    const hook = await cli.json('webhooks', 'create', `${site.origin}/hook`, '--event', 'browser.*');
    const [keys, hooks, tested, forbidden] = await Promise.all([
      cli.run('keys', 'list'),
      cli.run('webhooks', 'list'),
      cli.json('webhooks', 'test', hook.id),
      cli.run('keys', 'list', '--key', key.key),
    ]);
    expect(keys.stdout).toMatch(/ ci +member /);
    expect(keys.stdout).not.toContain(key.key);
    expect(hooks.stdout).toContain(`${site.origin}/hook`);
    expect(await cli.json('webhooks', 'deliveries', hook.id)).toMatchObject([{ id: tested.id }]);
    expect(forbidden.code).toBe(4);
    const secret = `whsec_${'a'.repeat(44)}`;
    const own = ['webhooks', 'create', `${site.origin}/own`, '--secret', '-', '--json'];
    const made = JSON.parse((await cli.runWith({ stdin: `${secret}\n` }, ...own)).stdout);
    expect(made).toMatchObject({ secret });
    for (const { id } of [hook, made]) expect(await cli.json('webhooks', 'delete', id)).toMatchObject({ id });
    expect(await cli.json('keys', 'revoke', key.id)).toMatchObject({ id: key.id });
    expect((await cli.run('browsers', 'list', '--key', key.key)).code).toBe(4);
  });

  test('the exit code says what went wrong', async () => {
    const nowhere = { env: { BROWSERD_URL: 'http://127.0.0.1:9', BROWSERD_API_KEY: '' } };
    const [away, keyless, unknown, wrong, refused, document] = await Promise.all([
      cli.runWith(nowhere, 'browsers', 'list'),
      cli.runWith({ env: { BROWSERD_API_KEY: '' } }, 'browsers', 'list'),
      cli.run('browsers', 'get', `browser_${'0'.repeat(26)}`),
      cli.run('browsers', 'create', '--viewport', 'large'),
      cli.run('browsers', 'create', '--locale', 'x'.repeat(65)),
      cli.run('browsers', 'get', `browser_${'0'.repeat(26)}`, '--json'),
    ]);
    expect(away.code).toBe(3);
    expect(away.stderr).toContain('browserd serve');
    expect(keyless.code).toBe(4);
    expect(keyless.stderr).toContain('admin-key');
    expect(unknown.code).toBe(1);
    expect(wrong.code).toBe(2);
    expect(refused.code).toBe(1);
    expect(document).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(document.stderr).error).toMatchObject({ code: 'BROWSER_NOT_FOUND', status: 404 });
  });

  test('address and key are kept in a file, and given otherwise by those who want to', async () => {
    const bare = { env: { BROWSERD_URL: undefined, BROWSERD_API_KEY: undefined } };
    const path = (await cli.run('config', 'path')).stdout.trim();
    await cli.run('config', 'set', 'url', server.service.url);
    await cli.runWith({ stdin: `${server.api.key}\n` }, 'config', 'set', 'key', '-');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const [kept, beaten, elsewhere, doctor] = await Promise.all([
      cli.runWith(bare, 'browsers', 'list'),
      cli.runWith({ env: { BROWSERD_API_KEY: `bd_${'x'.repeat(43)}` } }, 'browsers', 'list'),
      cli.runWith(bare, 'config', 'get', 'key', '--config', join(cli.folder, 'none.json')),
      cli.runWith(bare, 'doctor', '--json'),
    ]);
    expect(kept.code, kept.stderr).toBe(0);
    expect(beaten.code).toBe(4);
    expect(elsewhere.code).toBe(2);
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: true });
    expect(doctor.stdout).toContain(path);
    const sick = await cli.run('doctor', '--key', `bd_${'x'.repeat(43)}`);
    expect(sick.code).toBe(1);
    expect(sick.stdout).toMatch(/FAIL {2}key .*\n.*fix: /);
  });

  test('a language model gets its tools over stdin and stdout, until it hangs up', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const running = cli.start(['mcp'], { open: true });
    running.child.stdin?.write(messages.join(''));
    const answers = await running.printed(/"id":2/);
    expect(answers).toContain('"tools":[{');
    running.child.stdin?.end();
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('help, version and completion need no service', async () => {
    const [help, version, completion, nothing] = await Promise.all([
      cli.run('browsers', 'create', '--help'),
      cli.run('--version'),
      cli.run('completion', 'bash'),
      cli.run('browsers'),
    ]);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Examples:');
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(completion.stdout).toContain('complete -o default -F _browserd browserd');
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
  });
});
