import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliWorld, startCliWorld } from './cli-world.ts';
import { startRelay } from './relay.ts';

let world: CliWorld;
let { site, server, cli, livingIds, createBrowser } = {} as CliWorld;
beforeAll(async () => {
  world = await startCliWorld();
  ({ site, server, cli, livingIds, createBrowser } = world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe('a browser', () => {
  test('lives its whole life by commands', async () => {
    const made = await cli.json(
      ...['browsers', 'create', `${site.origin}/other`, '--name', 'shop', '--metadata', 'team=red'],
      ...['--viewport', '800x600', '--max-duration', '1h', '--allow-private', 'localhost'],
      ...['--memory-mb', '700'],
    );
    expect(made).toMatchObject({
      name: 'shop',
      status: 'ready',
      metadata: { team: 'red' },
      maxDuration: 3_600_000,
      memoryMb: 700,
      policy: { privateAccess: { localhost: true } },
    });
    const [table, filtered, found, byName, bySuffix, status, address, framed, completed] = await Promise.all([
      cli.run('browsers', 'list'),
      cli.json('browsers', 'list', '--metadata', 'team=blue'),
      cli.json('browsers', 'list', '--search', 'RED sho'),
      cli.run('browsers', 'get', 'shop'),
      cli.json('browsers', 'get', made.id.slice(-8)),
      cli.run('browsers', 'status', made.id),
      cli.run('browsers', 'open', 'shop', '--print'),
      cli.json('browsers', 'open', 'shop', '--embed', 'https://a.example,https://b.example'),
      cli.run('complete', 'browsers'),
    ]);
    expect(table.stdout).toMatch(/^ID +NAME +STATUS .*\nbrowser_\w+ +shop +ready /);
    expect(filtered).toEqual([]);
    expect(found).toMatchObject([{ id: made.id }]);
    expect(byName.stdout).toContain('800x600@1');
    expect(bySuffix.id).toBe(made.id);
    expect(status.stdout).toContain(`${site.origin}/other`);
    expect(address.stdout).toMatch(/^http:\/\/[^\s]+\/live\/browser_\w+#\S+\n$/);
    expect(framed.frameAncestors).toEqual(['https://a.example', 'https://b.example']);
    const [tab] = await cli.json('tabs', 'list', 'shop');
    const { tabId } = await cli.json('browsers', 'open', 'shop', '--tab', tab.tabId, '--view');
    expect(tabId).toBe(tab.tabId);

    expect(completed.stdout).toBe(`${made.id}\nshop\n`);

    expect((await cli.json('browsers', 'update', 'shop', '--name', 'store')).name).toBe('store');
    expect((await cli.run('browsers', 'stop', 'store')).stdout).toBe(`${made.id} is stopped\n`);
    expect((await cli.run('browsers', 'resume', 'store', '--quiet')).stdout).toBe(`${made.id}\n`);
    const [closed] = await cli.json('browsers', 'close', 'store');
    expect(closed).toMatchObject({ id: made.id, status: 'closed' });
    expect(closed.receipt.processesEnded).toBeGreaterThan(0);
    expect(await livingIds()).toEqual([]);
  });

  test('takes rules, lists and what becomes of cookie banners', async () => {
    const file = join(cli.folder, 'rules.json');
    const rules = [{ match: { host: 'ads.example' }, do: { action: 'block' } }];
    await writeFile(file, JSON.stringify(rules));
    const made = await cli.json('browsers', 'create', '--rules', file, '--consent', 'decline');
    expect(made).toMatchObject({
      policy: { rules, consent: 'decline' },
      ruleHits: { rules: [0] },
      consent: { declined: 0, failed: 0 },
    });
    await cli.run('browsers', 'close', made.id);

    const unknown = await cli.run('browsers', 'create', '--list', 'ads', '--list', 'trackers');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('BROWSERD_FILTER_LISTS')]);
    await writeFile(file, JSON.stringify(rules[0]));
    const noList = await cli.run('browsers', 'create', '--rules', file);
    expect([noList.code, noList.stderr]).toEqual([2, expect.stringContaining('must hold a list')]);
    expect((await cli.run('scrape', `${site.origin}/`, '--consent', 'accept')).code).toBe(2);
    const local = ['--allow-private', 'localhost'];
    expect((await cli.run('scrape', `${site.origin}/`, '--consent', 'decline', ...local)).code).toBe(0);
  });

  test('says when its start page was refused', async () => {
    const made = await cli.run('browsers', 'create', `${site.origin}/other`);
    const [id = ''] = /^browser_\w+/.exec(made.stdout) ?? [];
    expect(made).toMatchObject({ code: 0, stdout: `${id} is ready\n` });
    expect(made.stderr).toMatch(/^The start page was not opened \(POLICY_BLOCKED\): .*private_address/);
    expect((await cli.run('browsers', 'get', id)).stdout).toMatch(/start page +failed \(POLICY_BLOCKED\)/);
    await cli.run('browsers', 'close', id);
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
    const picture = join('no', 'such', 'folder.png');
    const [failed, imports, lost] = await Promise.all([
      cli.run('run', 'greet.ts', ...inNew, '--args', args(''), '--screenshot', picture),
      cli.runWith({ stdin: "import fs from 'node:fs'" }, 'run', '-', '--new'),
      cli.run('run', '--code', 'return 1'),
    ]);
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('SCRIPT_FAILED: nobody');
    expect(failed.stderr).toMatch(
      /at \$main \(greet\.ts:6:\d+\)\nnext step: observe\nThere is no picture: ENOENT/,
    );
    expect(imports).toMatchObject({ code: 2, stdout: '' });
    expect(imports.stderr).toContain("stdin:1 imports 'node:fs'");
    expect(lost).toMatchObject({ code: 2 });
    expect(await livingIds()).toEqual([]);
  });

  test('saves a trace, and the bundle of a run that fails; the newest trace can be had later', async () => {
    const at = (name: string): string => join(cli.folder, name);
    const browser = await createBrowser();
    const failed = await cli.run(
      ...['run', '--browser', browser, '--code', 'throw new Error("no")'],
      ...['--trace', at('run.zip'), '--bundle', at('failed.zip')],
    );
    expect(failed, failed.stderr).toMatchObject({ code: 1 });
    const later = await cli.json('trace', browser, '-o', at('later.zip'));
    expect(later).toMatchObject({ path: at('later.zip'), mimeType: 'application/zip' });
    const [run, bundle, newest] = await Promise.all(
      ['run.zip', 'failed.zip', 'later.zip'].map((name) => readFile(at(name))),
    );
    expect(newest).toEqual(run);
    expect(bundle?.includes('error.json')).toBe(true);
    const other = await createBrowser();
    const none = await cli.run('trace', other);
    expect(none).toMatchObject({ code: 1 });
    expect(none.stderr).toContain('has no trace');
    await cli.run('browsers', 'close', browser, other);
  });

  test('leaves no browser behind when it is interrupted, whatever it was about to do', async () => {
    await using relay = await startRelay(server.service.url);
    const code = "await page.goto(args); console.warn('half way'); await sleep(60000)";
    const args = ['run', ...inNew, '--code', code, '--args', `"${site.origin}/other"`];
    const inScript = cli.start(args);
    const inCreate = cli.start(args, { env: { BROWSERD_URL: relay.url } });
    await relay.created;
    inCreate.child.kill('SIGINT');
    await inScript.printed(/tab\.navigated/);
    await inScript.printed(/^warn: half way$/m);
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
    // one after the other, in one Chromium: at once they get several
    const of = (...args: string[]) => cli.runWith({ stdin: html }, ...args);
    const text = await of('scrape', '-');
    const whole = await of('scrape', '-', '--json', '--include', 'headings');
    const picture = await of('screenshot', '-', '-o', png, '--viewport', '300x200');
    const pdf = await of('pdf', '-', '--paper', 'a4');
    expect(text.stdout).toContain('# Bread\n\nFlour and water.');
    expect(JSON.parse(whole.stdout)).toMatchObject({ title: 'Page', headings: [{ text: 'Bread' }] });
    expect(picture.stdout).toContain(png);
    expect((await readFile(png)).readUInt32BE(16)).toBe(300);
    expect(pdf.stdout.slice(0, 5)).toBe('%PDF-');
  });

  test('gives the data of a JSON Schema, and the kept answer of a moment ago', async () => {
    const schema = join(cli.folder, 'schema.json');
    const properties = { heading: { type: 'string', 'x-selector': 'h1' }, price: { type: 'number' } };
    await writeFile(schema, JSON.stringify({ type: 'object', properties }));
    const of = (...args: string[]) =>
      cli.runWith({ stdin: html }, 'scrape', '-', '--schema', schema, ...args);
    const found = await of();
    expect(JSON.parse(found.stdout)).toEqual({ heading: 'Bread' });
    expect(found.stderr).toContain('/price');
    const [first, again] = [await of('--json', '--max-age', '1h'), await of('--json', '--max-age', '1h')];
    expect([first, again].map(({ stdout }) => JSON.parse(stdout).fromCache)).toEqual([false, true]);
  });

  test('is compared with a picture, and the exit code says whether it matches', async () => {
    const shoot = (stdin: string, ...args: string[]) => cli.runWith({ stdin }, 'screenshot', '-', ...args);
    const small = ['--viewport', '100x50'];
    expect((await shoot(html, ...small, '--optimize', '-o', 'before.png')).code).toBe(0);
    const same = await shoot(html, ...small, '--baseline', 'before.png');
    expect([same.code, same.stdout]).toEqual([
      0,
      expect.stringMatching(/^Matches before\.png: 0 of 5000 pixels/),
    ]);
    const other = ['--baseline', 'before.png', '--difference', 'changed.png', '--json'];
    const changed = await shoot('<body style="background: #f00">', ...small, ...other);
    expect([changed.code, JSON.parse(changed.stdout)]).toMatchObject([1, { matches: false, sameSize: true }]);
    expect((await readFile(join(cli.folder, 'changed.png'))).readUInt32BE(16)).toBe(100);
    // what was lent for the call is given back
    expect(JSON.parse((await cli.run('project-files', 'list', '--json')).stdout)).toEqual([]);
    const [alone, missing] = [
      await shoot(html, '--threshold', '0.1', '-o', 'x.png'),
      await shoot(html, '--baseline', 'none.png'),
    ];
    expect([alone.code, missing.code]).toEqual([2, 2]);
  });
});
