/**
 * Loads Playwright's bundles without `require`: with some of Node's modules replaced, with the code that V8 compiled once
 * for all runners beside them, and so that they can be loaded into a snapshot in one folder and be used in another.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import { startupSnapshot } from 'node:v8';
import { Script } from 'node:vm';

/** By the names of Node's modules. */
export type Substitutes = Record<string, unknown>;

export interface Loaded {
  exports: unknown;
  /** From now on its files are in this folder: what it loads or reads later, it looks for there. */
  moveTo(folder: string): void;
  /** Writes what V8 has compiled by now beside the sources, for later runners. */
  keepCompiledCode(): void;
}

const wrapper = [
  '(function (exports, require, module, __filename, __dirname) { module.move = (to) => { __dirname = to; };',
  '\n})',
] as const;
const compiledCodeOf = (file: string): string => `${file}.v8`;

const findFile = (path: string): string => {
  const found = [path, `${path}.js`, join(path, 'index.js')].find(
    (each) => extname(each) && existsSync(each),
  );
  if (!found) throw new Error(`${basename(path)} is not part of the runner.`);
  return found;
};

interface Module {
  exports: unknown;
  folder: string;
  /** Changes the folder that the module itself knows it is in. */
  move?(to: string): void;
}

function moduleOfNode(name: string): unknown {
  const found = process.getBuiltinModule(name);
  // Playwright asks for packages that may be missing, and catches this.
  if (!found) throw new Error(`${name} is not part of the runner.`);
  return found;
}

export function load(entry: string, substitutes: Substitutes): Loaded {
  const modules = new Map<string, Module>();
  const scripts = new Map<string, Script>();

  const requireFor = (module: Module) => {
    const requireHere = (name: string): unknown =>
      name.startsWith('.') || isAbsolute(name)
        ? open(findFile(resolve(module.folder, name)))
        : (substitutes[name.replace(/^node:/, '')] ?? moduleOfNode(name));
    return Object.assign(requireHere, { resolve: (name: string) => resolve(module.folder, name) });
  };

  const open = (file: string): unknown => {
    const known = modules.get(file);
    if (known) return known.exports;
    const module: Module = { exports: {}, folder: dirname(file) };
    modules.set(file, module);
    const source = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) {
      module.exports = JSON.parse(source);
      return module.exports;
    }
    // A snapshot holds compiled code itself, and has no room for a Script.
    const forSnapshot = startupSnapshot.isBuildingSnapshot();
    const compiled = compiledCodeOf(file);
    const cachedData = !forSnapshot && existsSync(compiled) ? readFileSync(compiled) : undefined;
    const script = new Script(wrapper.join(source), { filename: file, cachedData });
    if (!forSnapshot) scripts.set(file, script);
    script
      .runInThisContext()
      .call(module.exports, module.exports, requireFor(module), module, file, module.folder);
    return module.exports;
  };

  return {
    exports: open(entry),
    moveTo(folder) {
      for (const [file, module] of [...modules]) {
        const now = join(folder, relative(dirname(entry), file));
        modules.set(now, module);
        module.folder = dirname(now);
        module.move?.(module.folder);
      }
    },
    keepCompiledCode() {
      for (const [file, script] of scripts) writeFileSync(compiledCodeOf(file), script.createCachedData());
    },
  };
}
