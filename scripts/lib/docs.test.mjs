import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

/** What the documents say is compared with what exists. */
const root = resolve(import.meta.dirname, '../..');
const documents = globSync(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: root }).map((path) => ({
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
