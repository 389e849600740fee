/** The config file: the address of the service and a key, readable by its owner alone. */
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { wrongUsage } from '../failure.ts';
import { writeWhole } from '../whole-file.ts';

export interface Config {
  url?: string;
  key?: string;
}
export const configNames = ['url', 'key'] as const satisfies (keyof Config)[];

export const configPath = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'browserd', 'config.json');

export async function readConfig(path: string): Promise<Config> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}';
    throw error;
  });
  const problem = (why: string) =>
    wrongUsage(`${path} ${why}. Expected: {"url": "http://127.0.0.1:8787", "key": "bd_…"}`);
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw problem('is not JSON');
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw problem('is not a JSON object');
  for (const [name, value] of Object.entries(found)) {
    if (!configNames.includes(name as keyof Config))
      throw problem(`has an unknown setting ${JSON.stringify(name)}`);
    if (typeof value !== 'string') throw problem(`has a ${name} that is not a text`);
  }
  return found;
}

export async function writeConfig(path: string, config: Config): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWhole(path, [Buffer.from(`${JSON.stringify(config, null, 2)}\n`)], {
    replace: true,
    follow: true,
    mode: 0o600,
  });
}
