/**
 * A snapshot is made of one script, so the child's modules are put into one: each becomes a function that is called
 * when another first imports it. This knows the few forms of import and export that the child's sources have, and refuses
 * the others; a linker for all of JavaScript would be a dependency of every installation.
 */
import { posix } from 'node:path';

/** By their paths: sources without types. */
export type Sources = Map<string, string>;

const importForm = /^import (?:(\w+)|\{([^}]*)\}) from '([^']+)';$/gm;
const exportAgainForm = /^export \{([^}]*)\} from '([^']+)';$/gm;
const exportForm = /^export (?=(?:async )?(?:const|let|class|function\*?) (\w+))/gm;
const anyForm = /^(?:import|export)\b.*|\bimport\.meta\b|^await\b.*/m;

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export function link(sources: Sources, entry: string): string {
  const modules = [...sources].map(
    ([path, source]) => `${JSON.stringify(path)}(exports) {${asFunction(path, source)}\n}`,
  );
  return `'use strict';
const modules = {
${modules.join(',\n')}
};
const done = {};
function use(path) {
  if (!done[path]) modules[path]((done[path] = {}));
  return done[path];
}
use(${JSON.stringify(entry)});
`;
}

function asFunction(path: string, source: string): string {
  const wanted = (from: string): string =>
    from.startsWith('.')
      ? `use(${JSON.stringify(posix.join(posix.dirname(path), from))})`
      : `require(${JSON.stringify(from)})`;
  const exported: string[] = [];
  const plain = source
    .replace(importForm, (_, whole, list, from) =>
      whole
        ? `const ${whole} = ${wanted(from)};`
        : `const { ${namesIn(list).join(', ').replaceAll(' as ', ': ')} } = ${wanted(from)};`,
    )
    .replace(exportAgainForm, (_, list, from) => `Object.assign(exports, ${picked(list, wanted(from))});`)
    .replace(exportForm, (_, name) => {
      exported.push(name);
      return '';
    });
  const unknown = anyForm.exec(plain)?.[0];
  if (unknown) throw new Error(`${path} has a form that cannot be linked: ${unknown}`);
  return `${plain}\nObject.assign(exports, { ${exported.join(', ')} });`;
}

const picked = (list: string, module: string): string => {
  const names = namesIn(list).join(', ');
  return `(({ ${names} }) => ({ ${names} }))(${module})`;
};
