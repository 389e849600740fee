import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionZip } from '../../server/tests/support/extensions.ts';
import { fontOf } from '../../server/tests/support/font.ts';
import { type CliWorld, startCliWorld } from './cli-world.ts';

let world: CliWorld;
let { site, server, cli, createBrowser } = {} as CliWorld;
beforeAll(async () => {
  world = await startCliWorld();
  ({ site, server, cli, createBrowser } = world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe('what a browser holds', () => {
  let id: string;
  beforeAll(async () => {
    id = await createBrowser();
  });
  afterAll(() => server.api.remove(id));

  test('is uploaded, downloaded, saved and deleted', async () => {
    const upload = ['files', 'upload', id, '-', '--name', 'data.csv', '--json'];
    const sent = await cli.start(upload, { stdin: 'a,b\n1,2\n' }).ended;
    const [file] = JSON.parse(sent.stdout) as [{ id: string; size: number }];
    expect(file.size).toBe(8);
    const starts = `await page.setContent('<a download="report.txt" href="data:text/plain,done">x</a>');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('a')]); await download.path().catch(() => {})`;
    expect((await cli.run('run', '-b', id, '--code', starts)).code).toBe(0);
    const [download] = await cli.json('downloads', 'list', id);
    expect(download.suggestedFilename).toBe('report.txt');

    const [saved, piped, kept] = await Promise.all([
      cli.run('files', 'download', id, file.id),
      cli.start(['files', 'download', id, file.id, '-o', '-']).ended,
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
    await mkdir(join(cli.folder, 'folder'));
    await symlink('folder', join(cli.folder, 'link'));
    expect((await cli.run('files', 'download', id, file.id, '-o', 'link')).stdout).toContain('link/data.csv');
    expect(await readFile(join(cli.folder, 'folder', 'data.csv'), 'utf8')).toBe('a,b\n1,2\n');
    const both = await cli.run('files', 'delete', id, file.id, 'file_none', '--json');
    expect(both.code).toBe(1);
    expect(JSON.parse(both.stdout)).toEqual([{ id: file.id, deleted: true }]);
    expect(JSON.parse(both.stderr).error.code).toBe('FILE_NOT_FOUND');
  });

  test('is recorded, and a person is asked for', async () => {
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
  });
});

describe('requests', () => {
  test('are listed, followed until interrupted, shown, and saved as a HAR', async () => {
    const id = await createBrowser({ startUrl: `${site.origin}/` });
    const tail = cli.start(['network', 'tail', id, '--failed', '--json']);
    const [first] = await cli.json('network', 'list', id, '--type', 'document');
    expect(first).toMatchObject({ url: `${site.origin}/`, status: 200 });
    const asks = "await page.evaluate(() => fetch('/missing').then((answer) => answer.text()))";
    let heard = '';
    const printed = tail.printed(/missing.*\n/).then((lines) => {
      heard = lines;
    });
    while (!heard) await cli.run('run', '-b', id, '--code', asks);
    await printed;
    expect(JSON.parse(heard.trim().split('\n')[0] ?? '')).toMatchObject({ status: 404 });
    tail.child.kill('SIGINT');
    expect((await tail.ended).code).toBe(130);
    const shown = await cli.run('network', 'show', id, first.id);
    expect(shown.stdout).toMatch(/^request +GET http/m);
    expect(shown.stdout).toMatch(/^< content-type +text\/html/im);
    const table = await cli.run('network', 'list', id, '--failed');
    expect(table.stdout).toMatch(/^ID +ANSWER/);
    const saved = await cli.json('har', id, '-o', 'page.har');
    const har = JSON.parse(await readFile(join(cli.folder, saved.path), 'utf8'));
    expect(har.log.entries[0].request.url).toBe(`${site.origin}/`);
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

  test('a service that works alone is one node, which cannot be drained', async () => {
    const [node] = await cli.json('nodes', 'list');
    expect(node).toMatchObject({ state: 'up', answering: true });
    const [table, drained, unknown] = await Promise.all([
      cli.run('nodes', 'list'),
      cli.run('nodes', 'drain', node.id),
      cli.run('nodes', 'drain', 'node_none', '--wait'),
    ]);
    expect(table.stdout).toMatch(new RegExp(`^ID .*\\n${node.id} \\* +up +\\d+ of \\d+ `));
    expect([drained.code, unknown.code]).toEqual([1, 1]);
    expect(drained.stderr).toContain('No other node is up');
  });

  test('secrets come from a pipe, and are never shown', async () => {
    const value = 'open sesame, please';
    const given = (...args: string[]) => cli.runWith({ stdin: `${value}\n` }, 'secrets', ...args);
    const made = await given('create', 'shop/password', '--origin', site.origin, '--json');
    const { id } = JSON.parse(made.stdout);
    const changed = await given('update', id, '--origin', 'https://shop.example');
    const [list, empty, homeless] = await Promise.all([
      cli.run('secrets', 'list'),
      cli.run('secrets', 'create', 'other', '--origin', site.origin),
      given('create', 'other'),
    ]);
    expect(list.stdout).toMatch(/ shop\/password +value +https:\/\/shop\.example +never/);
    expect([changed.code, empty.code, homeless.code]).toEqual([0, 2, 2]);
    for (const { stdout, stderr } of [made, changed, list]) expect(stdout + stderr).not.toContain(value);
    expect(await cli.json('secrets', 'delete', id)).toMatchObject({ id, deleted: true });
  });

  test('files of the project are uploaded, passed on, downloaded and deleted', async () => {
    await writeFile(join(cli.folder, 'logo.svg'), '<svg/>');
    const upload = ['project-files', 'upload', 'logo.svg', '--ttl', '1h', '--json'];
    const [file] = JSON.parse((await cli.run(...upload)).stdout) as [{ id: string; expiresAt: string }];
    expect(Date.parse(file.expiresAt)).toBeGreaterThan(Date.now());
    const [list, address, piped] = await Promise.all([
      cli.run('project-files', 'list'),
      cli.run('project-files', 'address', file.id, '--ttl', '10m'),
      cli.start(['project-files', 'download', file.id, '-o', '-']).ended,
    ]);
    expect(list.stdout).toMatch(/\nfile_\w+ +logo\.svg +6 B +image\/svg\+xml +upload /);
    expect(piped.stdout).toBe('<svg/>');
    expect(await (await fetch(address.stdout.trim())).text()).toBe('<svg/>');
    expect(address.stderr).toContain('until');
    expect(await cli.json('project-files', 'delete', file.id)).toEqual([{ id: file.id, deleted: true }]);
  });

  test('what a quick action made is stored, and its address printed', async () => {
    const html = { stdin: '<h1>Hello</h1>' };
    const pdf = await cli.start(['pdf', '-', '--store', 'hello.pdf', '--ttl', '1h'], html).ended;
    const [, url = ''] = /^file_\w+ {2}hello\.pdf \([^)]+\)\n(http\S+)\n$/.exec(pdf.stdout) ?? [];
    expect((await (await fetch(url)).text()).slice(0, 5)).toBe('%PDF-');
    const scraped = await cli.start(['scrape', '-', '--store', '--json'], html).ended;
    expect(JSON.parse(scraped.stdout)).toMatchObject({ files: [{ name: 'page.md', source: 'scrape' }] });
    const [both, alone] = await Promise.all([
      cli.start(['pdf', '-', '--store', '-o', 'x.pdf'], html).ended,
      cli.start(['pdf', '-', '--ttl', '1h', '-o', 'x.pdf'], html).ended,
    ]);
    expect([both.code, alone.code]).toEqual([2, 2]);
  });

  test('HTML on stdin has the files beside it that are named', async () => {
    await mkdir(join(cli.folder, 'parts'));
    await writeFile(join(cli.folder, 'parts', 'app.js'), 'document.title += " ran"');
    const { id } = (await cli.json('project-files', 'upload', 'parts/app.js'))[0];
    const html = {
      stdin: '<title>both</title><script src=parts/app.js></script><script src=again.js></script>',
    };
    const asked = ['scrape', '-', '--json', '--asset', './parts/app.js', '--asset', `again.js=${id}`];
    expect(JSON.parse((await cli.start(asked, html).ended).stdout).title).toBe('both ran ran');
    const [none, address] = await Promise.all([
      cli.start(['scrape', '-', '--asset', 'missing.css'], html).ended,
      cli.run('scrape', 'https://example.com', '--asset', 'parts/app.js'),
    ]);
    expect([none.code, address.code]).toEqual([2, 2]);
    await cli.run('project-files', 'delete', id);
  });

  test('extensions are uploaded, listed, shown and deleted', async () => {
    const manifest = {
      name: 'Price watch',
      permissions: ['storage'],
      action: { default_popup: 'popup.html' },
    };
    await writeFile(join(cli.folder, 'price-watch.zip'), extensionZip({ manifest }));
    const made = await cli.json('extensions', 'upload', 'price-watch.zip');
    expect(made).toMatchObject({ name: 'Price watch', permissions: ['storage'] });
    const [list, shown, folder, shell] = await Promise.all([
      cli.run('extensions', 'list'),
      cli.run('extensions', 'show', made.id),
      cli.run('extensions', 'upload', '.'),
      cli.run('browsers', 'create', '--engine', 'shell', '--extension', made.id),
    ]);
    expect(list.stdout).toMatch(/ Price watch +1\.0 +storage /);
    expect(shown.stdout).toContain(`chrome-extension://${made.chromiumId}/popup.html`);
    expect([folder.code, shell.code]).toEqual([2, 1]);
    expect(folder.stderr).toContain('zip -r');
    expect(shell.stderr).toContain('engine');
    expect(await cli.json('extensions', 'delete', made.id)).toMatchObject({ id: made.id, deleted: true });
  });

  test('fonts are uploaded, listed, shown and deleted', async () => {
    await writeFile(join(cli.folder, 'brand.ttf'), fontOf({ family: 'Brand Sans', style: 'Bold', width: 1 }));
    const made = await cli.json('fonts', 'upload', 'brand.ttf');
    expect(made).toMatchObject({ format: 'ttf', faces: [{ family: 'Brand Sans', style: 'Bold' }] });
    const [list, shown, folder] = await Promise.all([
      cli.run('fonts', 'list'),
      cli.run('fonts', 'show', made.id),
      cli.run('fonts', 'upload', '.'),
    ]);
    expect(list.stdout).toMatch(/ Brand Sans Bold +ttf /);
    expect(shown.stdout).toMatch(/local\(\) +Brand Sans Bold/);
    expect(folder.code).toBe(2);
    expect(await cli.json('fonts', 'delete', made.id)).toMatchObject({ id: made.id, deleted: true });
  });

  test('the exit code says what went wrong', async () => {
    const nowhere = { env: { BROWSERD_URL: 'http://127.0.0.1:9', BROWSERD_API_KEY: '' } };
    const [away, keyless, unknown, wrong, refused, ...documents] = await Promise.all([
      cli.start(['browsers', 'list'], nowhere).ended,
      cli.runWith({ env: { BROWSERD_API_KEY: '' } }, 'browsers', 'list'),
      cli.run('browsers', 'get', `browser_${'0'.repeat(26)}`),
      cli.run('browsers', 'create', '--viewport', 'large'),
      cli.run('browsers', 'create', '--locale', 'x'.repeat(65)),
      cli.run('browsers', 'get', `browser_${'0'.repeat(26)}`, '--json'),
      cli.run('pdf', 'https://example.com', '--scale', 'large', '--json'),
      cli.run('browsers', '--json'),
    ]);
    expect(away.code).toBe(3);
    expect(away.stderr).toContain('browserd serve');
    expect(keyless.code).toBe(4);
    expect(keyless.stderr).toContain('admin-key');
    expect(unknown.code).toBe(1);
    expect(wrong.code).toBe(2);
    expect(refused.code).toBe(1);
    expect(documents.map(({ code, stdout }) => [code, stdout])).toEqual([
      [1, ''],
      [2, ''],
      [2, ''],
    ]);
    expect(documents.map(({ stderr }) => JSON.parse(stderr).error)).toMatchObject([
      { code: 'BROWSER_NOT_FOUND', status: 404 },
      { code: 'WRONG_USAGE', message: expect.stringContaining('such as 1.5') },
      { code: 'WRONG_USAGE', message: expect.stringContaining('--help') },
    ]);
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
      cli.runWith(bare, 'browsers', 'list', '--config', join(cli.folder, 'none.json')),
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

  test('the file is made and mended by the command that the program names', async () => {
    const path = join(cli.folder, 'own', 'config.json');
    const url = 'https://browsers.example.com';
    expect((await cli.run('config', 'set', 'url', url, '--config', path)).code).toBe(0);
    await writeFile(path, 'url: wrong');
    expect((await cli.run('config', 'path', '--config', path)).stdout).toBe(`${path}\n`);
    expect((await cli.run('config', 'get', '--config', path)).code).toBe(2);
    const mended = await cli.run('config', 'set', 'url', url, '--config', path);
    expect(mended.code).toBe(0);
    expect(mended.stderr).toContain(`${path}.wrong`);
    expect(await readFile(`${path}.wrong`, 'utf8')).toBe('url: wrong');
    expect(await cli.json('config', 'get', '--config', path)).toEqual({ url });
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
      cli.start(['--version']).ended,
      cli.run('completion', 'bash'),
      cli.run('browsers'),
    ]);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('Examples:');
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(completion.stdout).toContain('complete -F _browserd browserd');
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
  });
});
