/**
 * Makes the bundle that `npm start` runs next time, in the background of a start that found none. CommonJS packages stay
 * outside, since they may depend on where they lie; so does what the service itself loads only when it is needed.
 *
 * `bundle-service.mjs FOLDER TARGET` makes one of the sources in another folder, such as those of a later version, and leaves
 * what `npm start` runs as it is.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { setPriority } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './lib/program.mjs';
import {
  circumstances,
  isSettled,
  keepBundle,
  makeRoom,
  serviceSource,
  signatureOf,
} from './lib/service-bundle.mjs';

const [folder = root, target] = process.argv.slice(2);
setPriority(19);
if (!target) makeRoom();
const began = Date.now();
const inputs = Object.fromEntries(
  (target ? [] : circumstances).map((path) => [path, signatureOf(folder, path)]),
);

const isModule = (file) => {
  if (/\.(mjs|ts)$/.test(file)) return true;
  const manifest = file.endsWith('.js') && findPackageJSON(pathToFileURL(file));
  return Boolean(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
};

/** `import.meta` tells a file where it lies; in the bundle it still says where the source lies. */
function placesIn(tree, file) {
  const known = {
    dirname: dirname(file),
    filename: file,
    url: pathToFileURL(file).href,
    main: file === join(folder, serviceSource),
  };
  const places = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (node.type === 'MemberExpression' && node.object.type === 'MetaProperty') {
      const { name } = node.property;
      if (name in known) places.push({ start: node.start, end: node.end, text: JSON.stringify(known[name]) });
      // Every package lies in the one node_modules, so a bundle in there finds the same.
      else if (name !== 'resolve') throw new Error(`${file} uses import.meta.${name}`);
      return;
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(tree);
  return places.sort((a, b) => b.start - a.start);
}

const plugin = {
  name: 'browserd',
  async resolveId(source, importer, { kind }) {
    if (!importer || source.startsWith('node:')) return null;
    const found = await this.resolve(source, importer, { kind, skipSelf: true });
    if (!found || found.external) return found;
    if (kind !== 'dynamic-import' && isModule(found.id)) return found;
    return { id: pathToFileURL(found.id).href, external: true };
  },
  /** Looked at before it is read: a change from then on makes another signature. */
  load(id) {
    if (!id.startsWith(folder)) return null;
    inputs[relative(folder, id)] = signatureOf(folder, relative(folder, id));
    return readFileSync(id, 'utf8');
  },
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    const tree = this.parse(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' });
    return placesIn(tree, id).reduce(
      (text, { start, end, text: place }) => text.slice(0, start) + place + text.slice(end),
      code,
    );
  },
};

const bundle = await rolldown({
  input: join(folder, serviceSource),
  platform: 'node',
  tsconfig: false,
  plugins: [plugin],
  logLevel: 'silent',
});
const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
const [{ code }] = output;
if (target) writeFileSync(target, code);
else if (Object.values(inputs).every((signature) => isSettled(signature, began))) keepBundle(code, inputs);
