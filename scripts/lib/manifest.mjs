/**
 * The package.json of a package as it is published, made from the one in the repository: sources become what is emitted
 * from them, and what only the repository needs is left out.
 */
const emitted = (path) => path.replace(/^(\.\/)?src\/(.+)\.ts$/, '$1dist/$2.js');

/** A path, or paths by name, however deep; with types each path of an export becomes two. */
function publish(entry, types) {
  if (typeof entry !== 'string')
    return Object.fromEntries(Object.entries(entry).map(([name, path]) => [name, publish(path, types)]));
  const path = emitted(entry);
  return types ? { types: path.replace(/\.js$/, '.d.ts'), default: path } : path;
}

export function publishedManifest(source, { types = false, files = [], optionalDependencies } = {}) {
  const { private: _, devDependencies, scripts, exports, bin, ...kept } = source;
  return {
    ...kept,
    ...(exports && { exports: publish(exports, types) }),
    ...(bin && { bin: publish(bin, false) }),
    ...(optionalDependencies && { optionalDependencies }),
    files: ['dist', ...files],
  };
}
