/**
 * In the repository the service runs from TypeScript, in a package from JavaScript that was made of it. Source files
 * that are started or read by name have the ending of this one.
 */
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';

export const ending = extname(import.meta.filename);

/** The source of such a file as JavaScript. */
export const withoutTypes = (source: string): string => (ending === '.ts' ? quietly(source) : source);

/** Node warns of the function as experimental, though it runs the same code on every file of ours; a program's output is its own. */
function quietly(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
