/**
 *   packages/NAME/src/x.ts ──tsc──> FOLDER/dist/x.js (and .d.ts)      package.json, README, LICENSE and what else is read
 *   packages/server/view/x.ts ──tsc──> FOLDER/view/x.js               with its pages and styles
 *
 * Node strips no types inside node_modules, so what is published is JavaScript. In the order of this table: a package
 * sees the types of those before it as they are published.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ensureDashboard } from './dashboard.mjs';
import { publishedManifest } from './manifest.mjs';
import { Problem, root } from './program.mjs';
import { capture } from './run.mjs';

const packages = {
  sdk: { name: '@browserd/sdk', target: 'es2022', types: true },
  mcp: { name: '@browserd/mcp', target: 'es2022', types: true },
  cli: { name: 'browserd', target: 'es2022' },
  server: {
    name: '@browserd/server',
    target: 'esnext',
    folders: { src: 'dist', view: 'view' },
    ownNode: true,
  },
};
export const packageNames = Object.keys(packages);

const isForTests = (file) => /\.(test|fixture)\.tsx?$|(^|\/)test-[^/]+\.ts$/.test(file);
/** Programs for the repository, which write into it. */
const stayHere = ['packages/server/src/programs/generate.ts'];
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

const sourcesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'tsconfig.json')
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !isForTests(file) && !stayHere.includes(relative(root, file)));

/** Types are made and checked only where they are published: the rest is turned into JavaScript file by file. */
function compilerSettings({ target, types }, { folder, files, output, published }) {
  const emission = types
    ? { declaration: true, paths: Object.fromEntries(published.map(({ name, types }) => [name, [types]])) }
    : { noCheck: true, noResolve: true };
  return {
    extends: [join(dirname(folder), 'tsconfig.json'), join(root, 'tsconfig.json')].find(existsSync),
    compilerOptions: { noEmit: false, target, rootDir: folder, outDir: output, ...emission },
    include: [],
    files: files.filter((file) => file.endsWith('.ts')),
  };
}

async function emit(node, name, { folder, output, published }) {
  const files = sourcesIn(folder);
  const settings = `${output}.tsconfig.json`;
  mkdirSync(output, { recursive: true });
  const config = compilerSettings(packages[name], { folder, files, output, published });
  writeFileSync(settings, JSON.stringify(config));
  try {
    const { code, output: said } = await capture(node, [
      'node_modules/@typescript/native/bin/tsc',
      '-p',
      settings,
    ]);
    if (code !== 0) throw new Problem(`The package ${packages[name].name} could not be made:\n${said}`);
  } finally {
    rmSync(settings);
  }
  // tsc turns './x.ts' into './x.js' in code, but not in declarations.
  for (const file of readdirSync(output, { recursive: true }).filter((each) => each.endsWith('.d.ts')))
    rewrite(join(output, file), (text) => text.replace(/(['"]\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1.js'));
  for (const file of files.filter((each) => !each.endsWith('.ts')))
    cpSync(file, join(output, relative(folder, file)));
}

const rewrite = (path, change) => writeFileSync(path, change(readFileSync(path, 'utf8')));

const readmeOf = ({ name, description }) => `# ${name}\n\n${description}\n`;

function complete(name, folder) {
  const { types, ownNode } = packages[name];
  const home = join(root, 'packages', name);
  const source = readJson(join(home, 'package.json'));
  const manifest = publishedManifest(source, {
    types,
    files: readdirSync(folder).filter((each) => each !== 'dist'),
    optionalDependencies: ownNode ? readJson(join(root, 'package.json')).optionalDependencies : undefined,
  });
  for (const program of Object.values(manifest.bin ?? {})) chmodSync(join(folder, program), 0o755);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const readme = join(home, 'README.md');
  writeFileSync(join(folder, 'README.md'), existsSync(readme) ? readFileSync(readme) : readmeOf(source));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/**
 * Writes these packages (with those that they build on) as they are published, each into the folder that `folderOf` gives for its name in the registry;
 * in a node_modules they are installed by that, but for the packages of others. Gives the folders.
 */
export async function writePackages(node, names, folderOf) {
  const published = [];
  for (const name of packageNames.filter((each) => names.includes(each))) {
    const { name: registered, types, folders = { src: 'dist' } } = packages[name];
    const folder = folderOf(registered);
    rmSync(folder, { recursive: true, force: true });
    for (const [from, to] of Object.entries(folders))
      await emit(node, name, {
        folder: join(root, 'packages', name, from),
        output: join(folder, to),
        published: published.filter((each) => each.types),
      });
    if (name === 'server') await addDashboard(node, folder);
    complete(name, folder);
    published.push({ name: registered, folder, types: types && join(folder, 'dist', `${name}.d.ts`) });
  }
  return published.map(({ folder }) => folder);
}

async function addDashboard(node, folder) {
  const built = await ensureDashboard(node);
  if (!built) throw new Problem('The server is not packed without its dashboard.');
  cpSync(built, join(folder, 'dashboard'), { recursive: true });
}

/** Turns folders of packages into the archives that npm installs and publishes. */
export async function archive(folders, to) {
  mkdirSync(to, { recursive: true });
  const { code, output } = await capture('npm', [
    'pack',
    ...folders,
    '--pack-destination',
    to,
    '--loglevel=error',
  ]);
  if (code !== 0) throw new Problem(`npm pack ended with code ${code}:\n${output}`);
  return output
    .trim()
    .split('\n')
    .map((name) => join(to, name));
}
