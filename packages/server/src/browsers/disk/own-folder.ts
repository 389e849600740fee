/** In a folder that all users may write to, another user may have made one of that name first, and would own what is in it. */
import { lstat } from 'node:fs/promises';

export async function refuseForeign(folder: string, setting: string): Promise<void> {
  const found = await lstat(folder);
  const uid = process.getuid?.() ?? found.uid;
  if ((found.isDirectory() || found.isSymbolicLink()) && found.uid === uid) return;
  throw new Error(
    `${folder} is not a folder of the user that the service runs as. Remove it, or name another with ${setting}.`,
  );
}
