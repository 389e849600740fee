import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configPath, readConfig, writeConfig } from './config-file.ts';
import { readSettings } from './settings.ts';

const keys = Object.fromEntries(
  ['flag', 'env', 'config', 'folder'].map((name) => [name, `bd_${name}_${'0'.repeat(30)}`]),
) as Record<'flag' | 'env' | 'config' | 'folder', string>;
const written = 'https://written.example.com';

describe('address and key', () => {
  let home: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'browserd-cli-'));
    env = { XDG_CONFIG_HOME: home };
    await mkdir(join(home, '.browserd'));
    await writeFile(join(home, '.browserd', 'admin-key'), `${keys.folder}\n`);
  });
  afterAll(() => rm(home, { recursive: true }));

  test('are those of a service in this folder when nothing is said', async () => {
    expect(await readSettings({}, env, home)).toEqual({
      url: 'http://127.0.0.1:8787',
      urlFrom: 'default',
      urlIsDefault: true,
      key: keys.folder,
      keyFrom: join(home, '.browserd', 'admin-key'),
    });
  });

  test('come from the file, then from the environment, then from flags', async () => {
    await writeConfig(configPath(env), { url: `${written}/`, key: keys.config });
    expect((await stat(configPath(env))).mode & 0o777).toBe(0o600);
    expect(await readSettings({}, env, home)).toMatchObject({
      url: written,
      key: keys.config,
      urlIsDefault: false,
    });
    const environment = { ...env, BROWSERD_URL: 'http://env.example.com', BROWSERD_API_KEY: keys.env };
    expect(await readSettings({}, environment, home)).toMatchObject({
      url: 'http://env.example.com',
      key: keys.env,
      keyFrom: 'BROWSERD_API_KEY',
    });
    const flags = { url: 'http://flag.example.com', key: keys.flag };
    expect(await readSettings(flags, environment, home)).toMatchObject(flags);
  });

  test('belong together: a key that is kept goes to no other address', async () => {
    await writeConfig(configPath(env), { url: written, key: keys.config });
    const other = await readSettings({ url: 'https://other.example.com' }, env, home);
    expect(other.key).toBeUndefined();
    expect((await readSettings({ url: `${written}/` }, env, home)).key).toBe(keys.config);
    await rm(configPath(env));
    expect((await readSettings({ url: 'http://127.0.0.1:9999' }, env, home)).key).toBeUndefined();
  });

  test('that make no sense are refused with the place they come from', async () => {
    await expect(readSettings({ url: 'localhost:8787' }, env, home)).rejects.toThrow('--url is wrong');
    for (const url of ['http://a:b@c', 'http://:b@c', 'http://c?d'])
      await expect(readSettings({ url }, env, home)).rejects.toThrow('--url is wrong');
    await expect(readSettings({ config: join(home, 'none') }, env, home)).rejects.toThrow('There is no file');
    for (const [text, why] of [
      ['{', 'is not JSON'],
      ['[]', 'not a JSON object'],
      ['{"kye": "x"}', 'unknown setting "kye"'],
      ['{"url": 1}', 'not a text'],
    ] as const) {
      await writeFile(join(home, 'wrong.json'), text);
      await expect(readConfig(join(home, 'wrong.json'))).rejects.toThrow(why);
    }
  });

  test('are tightened again when the file had become readable for others', async () => {
    await writeConfig(configPath(env), { url: written });
    await chmod(configPath(env), 0o644);
    await writeConfig(configPath(env), { key: keys.config });
    expect((await stat(configPath(env))).mode & 0o777).toBe(0o600);
  });
});
