import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { vagueActors } from './walls.ts';

/** What the documents say is compared with what exists. */
const root = resolve(import.meta.dirname, '../..');
const documents = globSync(['*.md', 'docs/**/*.md', 'examples/*.md', 'packages/*/README.md'], {
  cwd: root,
}).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

/** As GitHub makes them of headings. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsIn = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

test('every link to a file of the repository leads somewhere', () => {
  const broken = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?![a-z]+:)([^)\s]*)\)/g)].flatMap(([, target]) => {
      const [file, anchor] = target.split('#');
      const to = file === '' ? join(root, path) : join(root, dirname(path), file);
      if (!existsSync(to)) return [`${path}: ${target}`];
      if (anchor && !anchorsIn(readFileSync(to, 'utf8')).includes(anchor)) return [`${path}: ${target}`];
      return [];
    }),
  );
  expect(broken).toEqual([]);
});

test('every setting that is named exists', () => {
  const configuration = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  const clients = ['BROWSERD_URL', 'BROWSERD_API_KEY'];
  const unknown = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/\bBROWSERD_[A-Z_]+[A-Z]\b/g)]
      .map(([name]) => name)
      .filter((name) => !clients.includes(name) && !configuration.includes(`\`${name}\``))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('every TypeScript example fits the SDK', () => {
  const folder = mkdtempSync(join(root, 'packages/sdk/.docs-'));
  try {
    for (const { path, text } of documents)
      [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].forEach(([, code], index) => {
        writeFileSync(
          join(folder, `${path.replaceAll(/\W/g, '-')}-${index + 1}.ts`),
          `${code}\nexport {};\n`,
        );
      });
    const config = { extends: join(root, 'tsconfig.json'), include: ['*.ts'], exclude: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', folder], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const blocksOf = (language) =>
  documents.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code]) => ({
      path,
      code,
    })),
  );

/** The packages are in no registry: a stranger who registers one of these names decides what such a line runs. */
test('no document, help or message asks a registry for a package of ours', () => {
  const sources = globSync(
    [
      'packages/*/src/**/*.{ts,tsx}',
      'scripts/**/*.mjs',
      'examples/*',
      '.github/**/*',
      '*.yaml',
      'Dockerfile',
    ],
    {
      cwd: root,
      exclude: (path) => /\.test\.|generated/.test(String(path)),
    },
  ).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const inviting = [
    /\bnpx (?:-y |--yes )?(?:@browserd\/|browserd\b)/,
    /"args": \["browserd/,
    /\bnpm (?:install|i|exec) (?:-\S+ )*(?:@browserd\/|browserd\b(?!\/))/,
  ];
  const found = [...documents, ...sources].flatMap(({ path, text }) =>
    inviting.flatMap((pattern) => pattern.exec(text)?.[0] ?? []).map((line) => `${path}: ${line}`),
  );
  expect(found, 'Write npx --no-install browserd, or install the archive that npm run pack makes').toEqual(
    [],
  );
});

test('every JSON example is JSON', () => {
  const blocks = blocksOf('json');
  expect(blocks.length).toBeGreaterThan(3);
  for (const { path, code } of blocks) expect(() => JSON.parse(code), `${path}: ${code}`).not.toThrow();
});

/** Node 20 has no `using`, and runs no TypeScript. */
test('every JavaScript example can be run by Node 20', () => {
  const blocks = blocksOf('js');
  expect(blocks.length).toBeGreaterThan(3);
  for (const { path, code } of blocks) {
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--check', '-'], {
      input: code,
      encoding: 'utf8',
    });
    expect(stderr, `${path}: ${code}`).toBe('');
    expect(code, path).not.toMatch(/\busing \w+ =/);
  }
});

test('every example says how it is started on any Node, and is listed', () => {
  const { text } = documents.find(({ path }) => path === 'examples/README.md');
  for (const path of globSync('examples/*.ts', { cwd: root })) {
    const name = basename(path, '.ts');
    if (name === 'target') continue;
    expect(readFileSync(join(root, path), 'utf8')).toMatch(
      new RegExp(`^// {3}npm run example -- ${name}\\b`, 'm'),
    );
    expect(text).toContain(`(${name}.ts)`);
  }
});

/** Documents for those who change the code: they name its files and use its words. */
const forDevelopers = documents.filter(({ path }) =>
  /^(ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/internals\//.test(path),
);
const withoutBlocks = (text) => text.replace(/^```[\s\S]*?^```$/gm, '');
const source = join(root, 'packages/server/src');
const ending = /\.(tsx?|m?js|json|md|yaml)$/;
const fileNames = new Set(
  globSync('{docs,examples,packages,scripts}/**/*', { cwd: root, exclude: ['**/node_modules'] })
    .concat(globSync('*', { cwd: root }))
    .map((path) => basename(path)),
);

/** In backticks, `page/inside`, `config.ts` or `packages/*\/tests`; not `/v1/keys`, `@browserd/sdk` or `x.test.ts`. */
const pathsIn = (text) =>
  [...withoutBlocks(text).matchAll(/`([a-z*.][\w*.-]*(?:\/[\w*.-]+)*)\/?`/g)]
    .map(([, path]) => path)
    .filter((path) => path.includes('/') || (ending.test(path) && !path.startsWith('.')))
    .filter((path) => !/(^|[/-])x([.-]|$)/.test(path));

/** Below the server's source or in the repository; a name without folders may lie anywhere. */
const exists = (path) =>
  path.includes('/')
    ? [source, root].some((folder) => globSync(path, { cwd: folder }).length > 0)
    : fileNames.has(path);

test('every file and folder of the source that is named exists', () => {
  expect(pathsIn('`page/inside`, `config.ts`, `packages/*/tests/`')).toHaveLength(3);
  expect(pathsIn('`/v1/keys`, `@browserd/sdk`, `x.test.ts`, `a b/c`, `.ts`, `10.0.0.0/8`')).toEqual([]);
  const missing = forDevelopers.flatMap(({ path, text }) =>
    pathsIn(text)
      .filter((named) => !exists(named))
      .map((named) => `${path}: ${named}`),
  );
  expect(missing, 'Name what is there now; folders and doors change less often than files').toEqual([]);
});

test('ARCHITECTURE.md fits on two pages, and its glossary has at most 25 words', () => {
  const { text } = documents.find(({ path }) => path === 'ARCHITECTURE.md');
  const lines = text.trimEnd().split('\n');
  expect(lines.length, 'Move the detail to docs/internals').toBeLessThanOrEqual(122);
  expect(lines.filter((line) => line.length > 130)).toEqual([]);
  const [, glossary = ''] = /^## Glossary\n([\s\S]*?)^## /m.exec(text) ?? [];
  const words = [...glossary.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].map(([, word]) => word).slice(1);
  expect(words.length).toBeGreaterThan(0);
  expect(words.length, 'Take out a word that is used less').toBeLessThanOrEqual(25);
  expect(new Set(words).size).toBe(words.length);
});

test('ARCHITECTURE.md names every room and every file beside them, and links every file of docs/internals', () => {
  const { text } = documents.find(({ path }) => path === 'ARCHITECTURE.md');
  const rows = [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell.match(/[\w-]+/g) ?? []);
  const rooms = globSync('*/', { cwd: source }).map((path) => path.replace(/\/$/, ''));
  expect(rooms).toContain('browsers');
  const unnamed = rooms.filter((room) => !rows.includes(room));
  expect(unnamed, 'Give the room a row').toEqual([]);
  const beside = globSync('*.ts', { cwd: source }).filter((path) => !path.endsWith('.test.ts'));
  expect(beside).toContain('service.ts');
  const unknown = beside.filter(
    (path) => !text.includes(`\`${path}\``) && !text.includes(`\`${basename(path, '.ts')}\``),
  );
  expect(unknown, 'Name the file where it says what lies beside the rooms').toEqual([]);
  const unlinked = globSync('docs/internals/*.md', { cwd: root }).filter(
    (path) => !text.includes(`(${path})`),
  );
  expect(unlinked).toEqual([]);
});

test('docs/internals/rooms.md has every room inside a room, and no other', () => {
  const { text } = documents.find(({ path }) => path === 'docs/internals/rooms.md');
  const named = text.split(/^\| (?=\w+ \| \|$)/m).flatMap((table) => {
    const [, room] = /^(\w+) \| \|$/m.exec(table) ?? [];
    const names = [...table.matchAll(/^\| `([\w/-]+)` \|/gm)].map(([, name]) => name);
    return names.map((name) => (room === 'others' ? name : `${room}/${name}`));
  });
  const rooms = globSync('*/*/', { cwd: source }).map((path) => path.replace(/\/$/, ''));
  expect(rooms).toContain('browsers/record');
  expect(named.toSorted()).toEqual(
    rooms.filter((room) => !room.endsWith('/inside') || room === 'page/inside').toSorted(),
  );
});

test('documents for developers name the actor', () => {
  const vague = forDevelopers.flatMap(({ path, text }) =>
    vagueActors(text).map((word) => `${path}: ${word}`),
  );
  expect(vague, 'Write caller, page, Chromium, runner, viewer, operator, client or service').toEqual([]);
});
