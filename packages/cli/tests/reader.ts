import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { compiledBefore } from '../../server/tests/support/server.ts';
import { root } from './document-blocks.ts';

/**
 * A reader who pastes what the documents say into a shell, in a clone. The commands are the real ones, with three
 * differences: pages of example.com are a site on this machine, `npm run` takes its short way to what it runs, and what
 * has a spec of its own (serve, doctor, mcp, packing) only ends well.
 */
export interface Reader extends AsyncDisposable {
  folder: string;
  /** The first Node on the PATH that is not this repository's own: the one that a user has. */
  node: string;
  paste(code: string, more?: Record<string, string>): Promise<{ code: number; output: string }>;
  /** As it must be pasted here. */
  translated(code: string): string;
  write(name: string, code: string): Promise<void>;
}

export interface Surroundings {
  url: string;
  key: string;
  dataDir: string;
  site: string;
  /** Of the browser and the key that `browser_…` and `key_…` stand for. */
  browserId: string;
  keyId: string;
}

const packagedSdk = new URL('../../../scripts/lib/pack.mjs', import.meta.url).href;

const npx = `#!/bin/sh
[ "$1" = --no-install ] || { echo "npx would ask a registry for $1" >&2; exit 64; }
shift; [ "$1" = --prefix ] && shift 2; exec "$@"
`;

const findsKey = '[ "$BROWSERD_API_KEY" ] || export BROWSERD_API_KEY="$KEY"';

const browserd = `#!/bin/sh
${findsKey}
for word; do
  case $word in
    serve|doctor|mcp) exit 0 ;;
    open) exec "$NODE26" "$ROOT/packages/cli/src/browserd.ts" "$@" --print ;;
    create|scrape|screenshot|pdf|crawl|batch|map|--new) private='--allow-private localhost' ;;
    keys|webhooks|jobs) unset private; break ;;
  esac
done
exec "$NODE26" "$ROOT/packages/cli/src/browserd.ts" "$@" $private
`;

const npm = `#!/bin/sh
case "$1 $2" in
  'run keys') shift 3; exec "$NODE26" "$ROOT/packages/server/src/programs/keys.ts" "$@" ;;
  'run example')
    ${findsKey}
    name=$4; shift 4; [ $# = 0 ] && set -- pages "$SITE"; exec "$NODE26" "$ROOT/examples/$name.ts" "$@" ;;
  'install '*)
    shift
    for name; do case $name in */packed/*.tgz) ;; *) echo "npm would ask a registry for $name" >&2; exit 64 ;; esac; done
    mkdir -p node_modules/@browserd; ln -sfn "$SDK" node_modules/@browserd/sdk ;;
  'init -y'|'start '*|'test '*) ;;
  'run '*) grep -q "\\"$2\\": " "$ROOT/package.json" || { echo "There is no script $2" >&2; exit 64; } ;;
  *) echo "What is npm $*?" >&2; exit 64 ;;
esac
`;

/** An error of the API is a failure here; a stream that never ends has shown enough after a while. */
const curl = (real: string): string => `#!/bin/sh
for word; do case $word in -N) ${real} --fail-with-body --max-time 2 "$@" || [ $? = 28 ]; exit ;; esac; done
exec ${real} --fail-with-body "$@"
`;

const onPath = (name: string): string[] =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path));

export async function openReader(around: Surroundings): Promise<Reader> {
  const home = await mkdtemp(join(tmpdir(), 'browserd-reader-'));
  const folder = join(home, 'clone');
  const bin = join(home, 'bin');
  await mkdir(bin, { recursive: true });
  await mkdir(join(folder, '.browserd'), { recursive: true });
  await cp(join(around.dataDir, 'admin-key'), join(folder, '.browserd/admin-key'));
  await symlink(join(root, 'examples'), join(folder, 'examples'));
  // standard input, for the commands that read a secret from it
  await writeFile(join(home, 'secret'), around.key);
  const { writePackages } = await import(/* @vite-ignore */ packagedSdk);
  const [sdk] = await writePackages(process.execPath, ['sdk'], () => join(home, 'sdk'));
  const node = onPath('node')[0] ?? process.execPath;
  for (const [name, text] of Object.entries({
    npx,
    browserd,
    npm,
    curl: curl(onPath('curl')[0] ?? 'curl'),
  })) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  await symlink(node, join(bin, 'node'));
  const env = {
    ...compiledBefore,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: home,
    NODE26: process.execPath,
    ROOT: root,
    SDK: sdk,
    SITE: around.site,
    BROWSERD_URL: around.url,
    URL: around.url,
    KEY: around.key,
    ID: around.browserId,
    BROWSERD_DATA_DIR: around.dataDir,
  };
  const translated = (code: string): string =>
    code
      .replaceAll(
        /("(?:url|startUrl)": "https:\/\/example\.(?:com|org)(?!\/hook)[^"]*")(?![^}]*"policy")/g,
        (field, _, at: number, all: string) => {
          const before = all.slice(all.lastIndexOf('curl ', at), at);
          // A tab has the policy of its browser, and the pages of a site that of their job.
          if (before.includes('/tabs"')) return field;
          const policy = '"policy": {"privateAccess": {"localhost": true}}';
          return `${field}, ${/"kind": "(crawl|map)"/.test(before) ? `"options": {${policy}}` : policy}`;
        },
      )
      .replaceAll(/https:\/\/example\.(?:com|org)(?![\w/]*hook)/g, around.site)
      .replaceAll('const options = {', 'const options = { policy: { privateAccess: { localhost: true } },')
      .replaceAll(/(startUrl: '[^']*')/g, '$1, policy: { privateAccess: { localhost: true } }')
      .replaceAll(/(https?|ws):\/\/127\.0\.0\.1:8787/g, (_, scheme) => `${scheme}${around.url.slice(4)}`)
      .replaceAll('/path/to/the/clone', folder)
      .replaceAll('browser_…', around.browserId)
      .replaceAll('key_…', around.keyId)
      .replaceAll('bd_…', around.key);
  return {
    folder,
    node,
    translated,
    write: (name, code) => writeFile(join(folder, name), translated(code)),
    async paste(code, more = {}) {
      const ran = promisify(execFile)(
        'bash',
        ['-euo', 'pipefail', '-c', `exec < "$HOME/secret"\n${translated(code)}`],
        {
          cwd: folder,
          env: { ...env, ...more },
          timeout: 170_000,
        },
      );
      return await ran.then(
        ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
        (error) => ({ code: error.code ?? 1, output: `${error.stdout}${error.stderr}${error.message}` }),
      );
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}
