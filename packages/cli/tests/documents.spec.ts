import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliWorld, startCliWorld } from './cli-world.ts';
import { type Block, type Document, documents } from './document-blocks.ts';
import { openReader, type Reader } from './reader.ts';

/** What the documents tell a reader to paste is pasted, in their order. What cannot be run here is named with the reason. */
const notRun: [path: RegExp, code: RegExp, why: string][] = [
  [/docker\.md$/, /^docker |docker compose/m, 'needs Docker'],
  [
    /cluster\.md$/,
    /docker compose|^kubectl /m,
    'needs Docker, or Kubernetes; manifests.test.mjs verifies the files',
  ],
  [/systemd\.md$/, /^systemctl /m, 'needs systemd and root; deploy.test.mjs verifies the unit'],
  [/secrets\.md$/, /BROWSERD_SECRET_KEY|rotate-secrets/, 'keys.test.ts rotates keys, in stores of its own'],
  [/backup\.md$/, /BROWSERD_DATA_DIR|BROWSERD_DATABASE_URL/, 'backup.spec.ts runs it on both databases'],
];

let world: CliWorld;
let reader: Reader;

beforeAll(async () => {
  world = await startCliWorld();
  const { api, dataDir } = world.server;
  const key = await api.call('POST', '/v1/keys', { body: { name: 'to be revoked' } });
  reader = await openReader({
    url: api.url,
    key: api.key,
    dataDir,
    site: world.site.origin,
    browserId: await world.createBrowser(),
    keyId: key.body.id,
  });
});
afterAll(async () => {
  await reader?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const isShell = ({ language }: Block): boolean => /^(sh|bash)$/.test(language);
const reasonOf = ({ path }: Document, { code }: Block): string | undefined =>
  notRun.find(([inPath, inCode]) => inPath.test(path) && inCode.test(code))?.[2];
const firstLine = ({ code }: Block): string => (code.split('\n')[0] ?? '').replaceAll('%', '%%');

describe.each(
  documents.filter(({ blocks }) => blocks.some(isShell)).map((each) => [each.path, each] as const),
)('in %s', (_, document) => {
  for (const [index, block] of document.blocks.entries()) {
    if (!isShell(block)) continue;
    const why = reasonOf(document, block);
    if (why !== undefined) {
      test.skip(`${firstLine(block)} (${why})`);
      continue;
    }
    test(`${index + 1}: ${firstLine(block)}`, async () => {
      for (const { fileName, code } of document.blocks) if (fileName) await reader.write(fileName, code);
      const program = document.blocks[index + 1];
      const start = /^\/\/ [\w.-]+: (node .*)$/m.exec(program?.code ?? '')?.[1];
      const go = start ? `\ncp ${reader.folder}/${program?.fileName} . 2>/dev/null || true; ${start}` : '';
      const { code, output } = await reader.paste(block.code + go);
      expect(code, output).toBe(0);
    });
  }
});

test('every shell block is one that a shell can read', () => {
  for (const { path, blocks } of documents)
    for (const { code } of blocks.filter(isShell)) {
      const { stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
      expect(stderr, `${path}: ${code}`).toBe('');
    }
});

describe('the first browser of README.md', () => {
  const block = documents
    .find(({ path }) => path === 'README.md')
    ?.blocks.find(({ code }) => code.includes('# 1. create'));

  test('is a new one each time it is pasted, looked at while it is ready, and closed at the end', async () => {
    const outputs = [await reader.paste(block?.code ?? ''), await reader.paste(block?.code ?? '')];
    const ids = outputs.map(({ output }) => /^browser_\w+$/m.exec(output)?.[0]);
    expect(new Set(ids).size).toBe(2);
    for (const [index, { output }] of outputs.entries()) {
      const [looked = '', closed = ''] = output.split('"success":true');
      expect(looked).toContain('"status":"ready"');
      expect(closed).toContain(`"id":"${ids[index]}","status":"closed"`);
    }
  });
});

test('what the documents leave running is nothing but what they say', async () => {
  // closed in the documents: all but those of “Watch it”, security.md and frameworks.md, and the one that stands for `browser_…`
  const { body } = await world.server.api.call('GET', '/v1/browsers?status=ready&limit=100');
  expect(body.items.length).toBeLessThanOrEqual(5);
});
