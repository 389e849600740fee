/**
 * The address of the service and the key, from the most explicit to the least:
 *
 *   --url, --key  >  BROWSERD_URL, BROWSERD_API_KEY  >  config file  >  127.0.0.1:8787 and the key that a service
 *                                                                       started in this folder has left there
 *
 * The key of the config file belongs to the address in it, and the key of this folder to this machine: neither is sent to
 * another address.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browserd } from '@browserd/sdk';
import { wrongUsage } from '../failure.ts';
import { type Config, configPath, readConfig } from './config-file.ts';

export { type Config, configNames, configPath, readConfig, writeConfig } from './config-file.ts';

export interface Settings {
  url: string;
  key: string | undefined;
  /** Where both were found, for `doctor`. */
  urlFrom: string;
  keyFrom: string;
  /** No address was configured. */
  urlIsDefault: boolean;
}

export interface Flags {
  url?: string;
  key?: string;
  config?: string;
}

const defaultUrl = 'http://127.0.0.1:8787';

export async function readSettings(flags: Flags, env: NodeJS.ProcessEnv, cwd: string): Promise<Settings> {
  const path = flags.config ?? configPath(env);
  if (flags.config !== undefined && !existsSync(flags.config))
    throw wrongUsage(
      `There is no file ${flags.config}. Make it with: browserd config set url … --config ${flags.config}`,
    );
  const config = await readConfig(path);
  const address = addressOf(flags, env, config, path);
  const key = await keyOf(flags, env, config, path, address, cwd);
  return {
    ...address,
    key: key?.value,
    keyFrom: key?.from ?? 'nowhere',
  };
}

type Address = Pick<Settings, 'url' | 'urlFrom' | 'urlIsDefault'>;

function addressOf(flags: Flags, env: NodeJS.ProcessEnv, config: Config, path: string): Address {
  const named = flags.url
    ? { url: flags.url, urlFrom: '--url' }
    : env.BROWSERD_URL
      ? { url: env.BROWSERD_URL, urlFrom: 'BROWSERD_URL' }
      : config.url
        ? { url: config.url, urlFrom: path }
        : undefined;
  if (!named) return { url: defaultUrl, urlFrom: 'default', urlIsDefault: true };
  return { ...named, url: checkedUrl(named.url, named.urlFrom), urlIsDefault: false };
}

export function checkedUrl(text: string, from: string): string {
  try {
    return new Browserd({ baseUrl: text, apiKey: '' }).baseUrl;
  } catch {
    throw wrongUsage(
      `The address from ${from} is wrong: expected http(s)://HOST[:PORT], such as ${defaultUrl}.`,
    );
  }
}

async function keyOf(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  config: Config,
  path: string,
  { url, urlIsDefault }: Address,
  cwd: string,
): Promise<{ value: string; from: string } | undefined> {
  if (flags.key) return { value: flags.key, from: '--key' };
  if (env.BROWSERD_API_KEY) return { value: env.BROWSERD_API_KEY, from: 'BROWSERD_API_KEY' };
  if (config.key && url === checkedUrl(config.url ?? defaultUrl, path))
    return { value: config.key, from: path };
  return urlIsDefault ? keyOfThisFolder(cwd) : undefined;
}

/** The folder of the repository, if this program runs from one. */
const checkout = fileURLToPath(new URL('../../../..', import.meta.url));

async function keyOfThisFolder(cwd: string): Promise<{ value: string; from: string } | undefined> {
  const folders = existsSync(join(checkout, 'packages/server/src')) ? [cwd, checkout] : [cwd];
  for (const folder of folders) {
    const file = join(folder, '.browserd', 'admin-key');
    const text = await readFile(file, 'utf8').catch(() => '');
    if (/^[\x21-\x7e]{20,256}\s*$/.test(text)) return { value: text.trim(), from: file };
  }
  return undefined;
}
