/**
 * The walls between the packages as data (ARCHITECTURE.md): which packages each may import, and whether it may use Node.
 * Server and clients share openapi.json and nothing else; the server hosts the MCP tools, which call it over HTTP like any
 * client. Inside a package its own `walls.test.ts` goes on.
 */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const walls = {
  sdk: { packages: [], node: false },
  mcp: { packages: ['@browserd/sdk'], node: true },
  cli: { packages: ['@browserd/sdk', '@browserd/mcp'], node: true },
  dashboard: { packages: ['@browserd/sdk'], node: false },
  server: { packages: ['@browserd/mcp'], node: true },
};
const root = resolve(import.meta.dirname, '../..');
/** Statements begin a line; an import inside a string is an example. */
const specifiers =
  /^(?:import|export)\b(?:[^'"`;=(]*\bfrom)?\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm;

const importsOf = (name) =>
  globSync('src/**/*.{ts,tsx}', { cwd: join(root, 'packages', name) })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(root, 'packages', name, file), 'utf8').replace(
        /^\s*(\*|\/\/).*$/gm,
        '',
      );
      return [...source.matchAll(specifiers)].map(([, stated, called]) => ({
        file,
        specifier: stated ?? called,
      }));
    });

test.each(Object.keys(walls))('%s imports only the packages of the house that it may', (name) => {
  const { packages, node } = walls[name];
  const wrong = importsOf(name).filter(({ file, specifier }) => {
    if (specifier.startsWith('.')) return relative('.', join(dirname(file), specifier)).startsWith('..');
    if (specifier === 'browserd' || specifier.startsWith('@browserd/')) return !packages.includes(specifier);
    return !node && isBuiltin(specifier);
  });
  expect(wrong).toEqual([]);
});
