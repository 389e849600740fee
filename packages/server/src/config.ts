/**
 * The only reader of the environment. All mistakes are reported at once, and an unknown variable is one of them: a typo
 * would otherwise leave the default in force unnoticed.
 */
import { clusterProblems } from './config/cluster-problems.ts';
import { defaultFolders } from './config/folders.ts';
import type { Setting } from './config/setting.ts';
import { type Settings, settings } from './config/settings.ts';
import { nearest } from './kit/nearest.ts';
import { SetupError } from './kit/setup-error.ts';

export { memoryOfBrowser } from './config/browser-settings.ts';
export { settings } from './config/settings.ts';

type Folder = 'scratchDir' | 'exchangeDir';
export type Config = Readonly<Omit<Settings, Folder> & Record<Folder, string>>;

export const variableOf = (name: string): string =>
  `BROWSERD_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

/** Of the clients, which are started from the same shells. */
const variablesOfClients = ['BROWSERD_URL'];

export class ConfigError extends SetupError {}

export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const names = Object.keys(settings).map(variableOf);
  const known = new Set([...names, ...variablesOfClients]);
  for (const name of Object.keys(env)) {
    if (name.startsWith('BROWSERD_') && !known.has(name))
      problems.push(
        `${name} is not a setting of browserd. Did you mean ${nearest(name, names, 1)[0]}? See docs/configuration.md.`,
      );
  }
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const text = env[variableOf(name)] ?? row.fallback;
    if (text === null) {
      values[name] = null;
      continue;
    }
    const read = row.read.safeParse(text);
    if (read.success) values[name] = read.data;
    else problems.push(`${variableOf(name)} is wrong: ${read.error.issues[0]?.message}. ${row.about}`);
  }
  if ((values.captchaProviderUrl === null) !== (values.captchaProviderKey === null))
    problems.push(
      'BROWSERD_CAPTCHA_PROVIDER_URL and BROWSERD_CAPTCHA_PROVIDER_KEY belong together: give both or neither.',
    );
  if (problems.length === 0) problems.push(...clusterProblems(values as Settings));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const config = values as Settings;
  const folders = defaultFolders(config.dataDir, env);
  return Object.freeze({
    ...config,
    scratchDir: config.scratchDir ?? folders.scratchDir,
    exchangeDir: config.exchangeDir ?? folders.exchangeDir,
    cacheDir: config.cacheDir ?? folders.cacheDir,
  });
}
