import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishedManifest } from './manifest.mjs';
import { packageNames, writePackages } from './pack.mjs';
import { root } from './program.mjs';
import { capture } from './run.mjs';

/** Inside the repository, where the packages of others are found as if they were installed beside them. */
const folder = mkdtempSync(join(root, 'packed-'));
let folders;
beforeAll(async () => {
  folders = await writePackages(process.execPath, packageNames, (name) => join(folder, 'node_modules', name));
});
afterAll(() => rmSync(folder, { recursive: true }));

const filesOf = (each) => readdirSync(each, { recursive: true }).map((file) => join(each, file));
const pathsIn = (entry) => (typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(pathsIn));
const withTypes = /(['"`])[./][^'"`\n]*\.tsx?\1/;

test('what is published is JavaScript, without tests and without a path to a source', () => {
  const files = folders.flatMap(filesOf);
  expect(
    files.filter((file) => /(?<!\.d)\.tsx?$|\.test\.|\.fixture\.|test-/.test(file.slice(folder.length))),
  ).toEqual([]);
  const naming = files
    .filter((file) => /\.(js|d\.ts)$/.test(file))
    .filter((file) => withTypes.test(readFileSync(file, 'utf8').replace(/^\s*(\*|\/\/|\/\*).*$/gm, '')));
  expect(naming, 'say it with `ending` of kit/own-source.ts').toEqual([]);
});

test('every package has what npm shows of it, and every path that it offers exists', () => {
  for (const each of folders) {
    const files = filesOf(each);
    const {
      private: secret,
      exports = {},
      bin = {},
    } = JSON.parse(readFileSync(join(each, 'package.json'), 'utf8'));
    expect(secret).toBeUndefined();
    const offered = pathsIn([exports, bin]);
    expect(offered.length).toBeGreaterThan(0);
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', ...offered].map((path) => join(each, path))),
    );
  }
});

test('they run outside of the repository’s sources', async () => {
  const program = join(folder, 'uses.mjs');
  writeFileSync(
    program,
    "import * as sdk from '@browserd/sdk';\nimport '@browserd/mcp';\nconsole.log(import.meta.resolve('@browserd/sdk'), typeof sdk.Browserd);",
  );
  const used = await capture(process.execPath, [program]);
  expect(used).toEqual({ code: 0, output: expect.stringMatching(/packed-.*dist\/sdk\.js function\n$/) });
  const doctor = join(folder, 'node_modules/@browserd/server/dist/programs/doctor/doctor.js');
  expect(await capture(process.execPath, [doctor, '--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('Usage'),
  });
});

test('programs that run inside pages are made of what is published', async () => {
  const program = join(folder, 'inside.mjs');
  const programs = join(folder, 'node_modules/@browserd/server/dist/page/reach/programs.js');
  writeFileSync(
    program,
    `import { Script } from 'node:vm';
import * as programs from ${JSON.stringify(programs)};
for (const [name, each] of Object.entries(programs)) console.log(name, new Script(each.load()) instanceof Script);`,
  );
  const { code, output } = await capture(process.execPath, [program]);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output.trim().split('\n').toSorted()).toEqual(
    expect.arrayContaining(['captchaProgram true', 'pdfProgram true', 'scrapeProgram true']),
  );
});

test('the page that viewers open is made of what is published', () => {
  const view = join(folder, 'node_modules/@browserd/server/view');
  const files = readdirSync(view);
  expect(files).toEqual(
    expect.arrayContaining(['index.html', 'view.css', 'view.js', 'trace.html', 'trace.js']),
  );
  expect(files.filter((file) => !/\.(js|html|css)$/.test(file))).toEqual([]);
  const scripts = files.filter((file) => file.endsWith('.js'));
  const imported = scripts.flatMap((file) =>
    [...readFileSync(join(view, file), 'utf8').matchAll(/^import .*? from '\.\/([^']+)';$/gm)].map(
      ([, to]) => to,
    ),
  );
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter((file) => !scripts.includes(file))).toEqual([]);
});

test('sources in a manifest become what is made of them', () => {
  const source = {
    name: 'x',
    private: true,
    exports: { '.': './src/x.ts', './y': './src/deep/y.ts' },
    bin: { x: 'src/x.ts' },
    dependencies: { zod: '1.0.0' },
    devDependencies: { vite: '1.0.0' },
  };
  expect(publishedManifest(source, { types: true, files: ['live'] })).toEqual({
    name: 'x',
    exports: {
      '.': { types: './dist/x.d.ts', default: './dist/x.js' },
      './y': { types: './dist/deep/y.d.ts', default: './dist/deep/y.js' },
    },
    bin: { x: 'dist/x.js' },
    dependencies: { zod: '1.0.0' },
    files: ['dist', 'live'],
  });
});
