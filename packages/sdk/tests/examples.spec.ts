import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { liveCapability, watch } from '../../server/tests/support/live-client.ts';
import { compiledBefore, startServer, type TestServer } from '../../server/tests/support/server.ts';
import { type Site, startSite } from '../../server/tests/support/site.ts';

/** Every example is run as its first lines say, against a real service. */
const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
let server: TestServer;
let site: Site;
let folder: string;
let env: Record<string, string | undefined>;

const form = `<!doctype html><title>Order</title><form action="/sent">
  <label>Name <input name="name"></label> <label>Mail <input name="mail" type="email"></label> <button>Order</button></form>`;
const offer = `<!doctype html><title>Offer</title><a href="data:text/csv,a,b" download="../re port.csv">The report</a>`;
const article = (n: number): string =>
  `<!doctype html><title>Page ${n}</title><h1>Page ${n}</h1><p>Text ${n}.</p>`;

beforeAll(async () => {
  const pages = { '/form': form, '/sent': '<title>Sent</title>Thank you', '/offer': offer };
  site = await startSite({
    ...pages,
    ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`/${n}`, article(n)])),
  });
  server = await startServer({ BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost' });
  folder = await mkdtemp(join(tmpdir(), 'browserd-examples-'));
  const service = { BROWSERD_URL: server.api.url, BROWSERD_API_KEY: server.api.key };
  env = { PATH: process.env.PATH, ...compiledBefore, ...service };
});
afterAll(async () => {
  const { body } = await server.api.call('GET', '/v1/browsers?status=ready');
  await server[Symbol.asyncDispose]();
  await site.close();
  await rm(folder, { recursive: true });
  expect(body.items).toEqual([]);
});

const example = async (name: string, ...args: string[]): Promise<string> =>
  (await run(process.execPath, [join(root, 'examples', name), ...args], { env })).stdout;

/** One that waits for a person: what it writes can be waited for. */
function waiting(name: string, ...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'examples', name), ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  child.stderr?.on('data', (text) => {
    output += text;
  });
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  const says = (what: RegExp): Promise<string> =>
    expect
      .poll(() => output, { timeout: 90_000 })
      .toMatch(what)
      .then(() => what.exec(output)?.[0] ?? '');
  return { child, exited, says };
}

test('agent.ts fills in a form by what it sees, and sends it', async () => {
  const output = await example('agent.ts', `${site.origin}/form`);
  expect(output).toContain('/sent?name=Ada+Lovelace&mail=');
  expect(output).toContain('Thank you');
});

test('scrape.ts writes a file for each page, and says which it could not', async () => {
  const addresses = [1, 2, 3, 4, 5].map((n) => `${site.origin}/${n}`);
  await example('scrape.ts', join(folder, 'pages'), ...addresses);
  const names = await readdir(join(folder, 'pages'));
  expect(names).toHaveLength(5);
  const texts = await Promise.all(
    names.toSorted().map((name) => readFile(join(folder, 'pages', name), 'utf8')),
  );
  expect(texts.map((text) => /Text \d/.exec(text)?.[0])).toEqual([
    'Text 1',
    'Text 2',
    'Text 3',
    'Text 4',
    'Text 5',
  ]);
  await expect(example('scrape.ts', join(folder, 'pages'), 'http://127.0.0.1:1/')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('NAVIGATION_FAILED'),
  });
});

test('download.ts saves what a link gives, under a name that leads nowhere else', async () => {
  const output = await example('download.ts', `${site.origin}/offer`, 'The report', folder);
  expect(output).toContain('3 bytes');
  const saved = (await readdir(folder)).filter((name) => name.endsWith('.csv'));
  expect(await readFile(join(folder, saved[0] ?? ''), 'utf8')).toBe('a,b');
});

test('hand-over.ts waits until a person has come and handed back', async () => {
  const program = waiting('hand-over.ts', `${site.origin}/`, 'Please go on.');
  const id = (await program.says(/browser_\w+/)) as string;
  const person = await watch((await liveCapability(server.api, id, 'control')).socketUrl);
  const state = () => person.told.findLast(({ type }) => type === 'state');
  person.say({ type: 'control', action: 'take' });
  await expect.poll(() => state()?.handoff.state, { timeout: 90_000 }).toBe('person');
  person.say({ type: 'visit', url: `${site.origin}/1` });
  await expect.poll(() => state()?.tabs[0]?.title, { timeout: 90_000 }).toBe('Page 1');
  person.say({ type: 'control', action: 'return' });
  await program.says(/Handed back at .*\/1 \(Page 1\)/);
  expect(await program.exited).toBe(0);
});

test('webhook-receiver.ts prints what is signed, and takes its webhook away', async () => {
  const program = waiting('webhook-receiver.ts');
  const address = (await program.says(/http:\S+/)) as string;
  expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(400);
  await server.api.remove((await server.api.create()).body.id);
  await program.says(/browser\.closed \{/);
  program.child.kill('SIGINT');
  expect(await program.exited).toBe(0);
  expect((await server.api.call('GET', '/v1/webhooks')).body.items).toEqual([]);
});

test('playwright.ts drives the browser with its own Playwright', async () => {
  expect(await example('playwright.ts', `${site.origin}/`)).toBe('home\n');
});

test('npm run example starts one on the Node of the repository, whatever Node npm has', async () => {
  const command = ['run', '--silent', 'example', '--', 'playwright', `${site.origin}/`];
  const { stdout } = await run('npm', command, { cwd: root, env: { ...env, HOME: folder } });
  expect(stdout).toBe('home\n');
  await expect(run('npm', ['run', 'example', '--', 'nothing'], { cwd: root, env })).rejects.toMatchObject({
    stderr: expect.stringContaining(
      'one of: agent, computer-anthropic, computer-gemini, computer-openai, download, hand-over, playwright, scrape, webhook-receiver',
    ),
  });
});

test('curl.sh needs nothing but curl', async () => {
  const { stdout } = await run('sh', [join(root, 'examples/curl.sh')], { env });
  expect(stdout).toContain('"result":"Hello"');
  expect(stdout).toContain('"status":"closed"');
});
