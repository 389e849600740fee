/**
 * In the repository the service runs from TypeScript, in a package from JavaScript that was made of it. Source files
 * that are started or read by name have the ending of this one.
 */
import { stripTypeScriptTypes } from 'node:module';
import { extname } from 'node:path';

export const ending = extname(import.meta.filename);

/** The source of such a file as JavaScript. */
export const withoutTypes = (source: string): string =>
  ending === '.ts' ? stripTypeScriptTypes(source) : source;
