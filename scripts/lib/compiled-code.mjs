/**
 * What Node strips of types and V8 compiles at one start is kept for the next, which then takes half the time. It lies in
 * node_modules: code that is run from there anyway, by the same user, and gone with it. Node files it by version, path
 * and content, and writes it when the process ends.
 */
import module from 'node:module';
import { join } from 'node:path';
import { root } from './program.mjs';

export const compiledCode = () =>
  process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/browserd');

export function keepCompiledCode() {
  process.env.NODE_COMPILE_CACHE = compiledCode();
  // Absent from the oldest Node that can set up.
  module.enableCompileCache?.();
}
