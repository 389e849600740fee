/** Pages to measure with are also in published packages, which are too large to be kept here. */
import { execFile } from 'node:child_process';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../../node_modules/.cache/reading');

/** A published package, fetched with npm once. */
export async function unpacked(name: string, version: string): Promise<string> {
  const folder = join(cache, `${name}-${version}`);
  if (await stat(folder).catch(() => undefined)) return join(folder, 'package');
  await mkdir(cache, { recursive: true });
  await run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', cache]);
  await mkdir(folder);
  await run('tar', ['xzf', `${folder}.tgz`, '-C', folder]);
  return join(folder, 'package');
}
