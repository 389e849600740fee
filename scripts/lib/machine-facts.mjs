/** What an installation plan needs to know of this machine; apart from the plan, so that plans are tested without such machines. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium } from '../../packages/server/src/chromium/start/find.ts';
import { aptUpdate } from './install.mjs';
import { wantedPackages } from './install-plan.mjs';
import { packagedNodeRuns } from './node-26.mjs';
import { capture } from './run.mjs';

const isOnPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** One for each kind of letters that most fonts lack, by the names of their files. */
const wantedFonts = [
  /emoji/i,
  /cjk|wqy|ipa(ex)?g|takao|nanum|droidsansfallback|uming|ukai/i,
  /devanagari|lohit|gargi|mangal/i,
  /thai|tlwg|garuda|loma|waree/i,
  /arabic|naskh|kufi|amiri|kacst|vazir/i,
];

export const haveFonts = (files) => wantedFonts.every((wanted) => files.some((file) => wanted.test(file)));

/** Where Chromium, in its box, finds those of the system. */
const fontFolders = ['/usr/share/fonts', '/usr/local/share/fonts'];

const fontFiles = () =>
  fontFolders.flatMap((folder) => {
    try {
      return readdirSync(folder, { recursive: true });
    } catch {
      return [];
    }
  });

/** A few looks at the disk: cheap enough for every start. */
export async function quickFacts() {
  const chromiumPath = process.env.BROWSERD_CHROMIUM_PATH || null;
  const forAnotherUser = process.getuid?.() === 0;
  const { shell, full, searched } = await findChromium({ chromiumPath, env: process.env, forAnotherUser });
  const bubblewrap = process.platform !== 'linux' || isOnPath('bwrap');
  const fonts = process.platform !== 'linux' || haveFonts(fontFiles());
  return { chromium: Boolean(shell ?? full), bubblewrap, fonts, chromiumPath, searched };
}

/** `name: … Candidate: version` of `apt-cache policy`, without those that have no candidate. */
export function readPolicy(text) {
  const rows = [...text.matchAll(/^(\S+):\n(?: .*\n)*? {2}Candidate: (\S+)$/gm)];
  return Object.fromEntries(
    rows.map(([, name, version]) => [name, version]).filter(([, v]) => v !== '(none)'),
  );
}

async function aptPackages() {
  const env = { ...process.env, LC_ALL: 'C' };
  return readPolicy((await capture('apt-cache', ['policy', ...wantedPackages], { env })).output);
}

async function findAdministrator() {
  if (process.getuid?.() === 0) return 'root';
  // -n: never asks for a password.
  return isOnPath('sudo') && (await capture('sudo', ['-n', 'true'])).code === 0 ? 'sudo' : null;
}

/** ID and ID_LIKE of /etc/os-release: the system's name and those of its ancestors. */
function systemNames() {
  if (process.platform !== 'linux') return [process.platform];
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    const values = ['ID', 'ID_LIKE'].map(
      (key) => text.match(new RegExp(`^${key}="?([^"\\n]*)`, 'm'))?.[1] ?? '',
    );
    return values.join(' ').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}

/** All that a plan needs; asks other programs, so only when something is missing. */
export async function gatherFacts(quick) {
  const apt = isOnPath('apt-get');
  const administrator = await findAdministrator();
  let packages = apt ? await aptPackages() : {};
  // A fresh container has no package lists yet. For fonts alone they are not fetched.
  const inNeed = !quick.chromium || !quick.bubblewrap;
  if (inNeed && apt && administrator && Object.keys(packages).length === 0) {
    await aptUpdate(administrator);
    packages = await aptPackages();
  }
  const glibc = process.platform !== 'linux' || packagedNodeRuns();
  return { ...quick, apt, administrator, packages, glibc, names: systemNames() };
}
