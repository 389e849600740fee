import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of a folder that hold a text, as it is or as UTF-16; what goes away meanwhile holds nothing. */
export async function filesWith(folder: string, ...texts: string[]): Promise<string[]> {
  const needles = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      return needles.some((needle) => bytes.includes(needle)) ? [path] : [];
    }),
  );
  return found.flat();
}
