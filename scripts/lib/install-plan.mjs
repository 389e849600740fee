/**
 * What to do on a machine without Chromium (or, on Linux, without bubblewrap or fonts), decided from facts alone:
 *
 *   apt and administrator ──> Debian's packages      Chromium missing? ──> first what apt has, then Playwright's
 *   anything with glibc   ──> Playwright's download   bubblewrap missing? ─> apt, or go without (isolation: process)
 *                                                     fonts missing? ──────> apt, or go without (boxes for letters)
 *
 * A step is run only if what it `gives` is still missing then, so the second way to Chromium is a fallback.
 */
const chromiumPackages = ['chromium-headless-shell', 'chromium'];
/**
 * Latin, emoji, Chinese, Japanese and Korean, and with `noto-core` Arabic, Hindi, Thai and most other scripts, in 24 MB
 * to download; without them pages show boxes instead of letters.
 */
const fontPackages = ['fonts-liberation', 'fonts-noto-color-emoji', 'fonts-noto-core', 'fonts-wqy-microhei'];

/** Every package name a plan may ask for: the facts say which of them exist. */
export const wantedPackages = [...chromiumPackages, ...fontPackages, 'bubblewrap'];

/** Ubuntu's package of this name is a stub that installs a snap, which cannot be driven over a pipe. */
const isReal = (version) => version !== undefined && !version.includes('snap');

/**
 * Where Playwright puts its browsers when root installs them: a home folder of root is closed to the unprivileged
 * user that Chromium runs as. `find.ts` looks there too.
 */
const sharedPlaywrightCache = '/opt/ms-playwright';

/**
 * @param {object} facts
 * @param {boolean} facts.chromium some Chromium was found
 * @param {boolean} facts.bubblewrap bwrap was found, or the platform has none
 * @param {boolean} facts.fonts the letters of most of the world and emoji can be drawn, or the platform brings its own fonts
 * @param {'root' | 'sudo' | null} facts.administrator how packages can be installed without a password prompt
 * @param {boolean} facts.apt apt-get is there
 * @param {Record<string, string>} facts.packages the packages that apt knows, with the version it would install
 * @param {boolean} facts.glibc false where Playwright's builds do not run
 */
export function installPlan({ chromium, bubblewrap, fonts, administrator, apt, packages, glibc }) {
  const mayApt = apt && administrator !== null;
  const available = (names) => names.filter((name) => isReal(packages[name]));
  const steps = [];
  if (!chromium && mayApt && available(chromiumPackages).length > 0)
    steps.push({ gives: 'chromium', by: 'apt', packages: available([...chromiumPackages, ...fontPackages]) });
  if (!chromium && glibc)
    steps.push({
      gives: 'chromium',
      by: 'playwright',
      withSystemLibraries: mayApt,
      cache: administrator === 'root' ? sharedPlaywrightCache : null,
    });
  if (!bubblewrap && mayApt && available(['bubblewrap']).length > 0)
    steps.push({ gives: 'bubblewrap', by: 'apt', packages: ['bubblewrap'] });
  if (!fonts && mayApt && available(fontPackages).length > 0)
    steps.push({ gives: 'fonts', by: 'apt', packages: available(fontPackages) });
  return steps;
}

const commands = {
  alpine: 'apk add chromium bubblewrap font-liberation',
  arch: 'sudo pacman -S chromium bubblewrap',
  darwin: 'brew install --cask google-chrome',
  debian: 'sudo apt-get install -y chromium-headless-shell chromium bubblewrap fonts-liberation',
  fedora: 'sudo dnf install chromium-headless chromium bubblewrap',
  suse: 'sudo zypper install chromium bubblewrap',
  ubuntu: 'sudo npx playwright-core install-deps chromium && npx playwright-core install chromium',
};

/** The exact command for a machine on which nothing above worked; `names` are the ID and ID_LIKE of os-release. */
export function adviceFor({ names, administrator }) {
  const known = names.find((name) => name in commands);
  const command = known ? commands[known] : 'npx playwright-core install chromium';
  return administrator === 'root' ? command.replaceAll('sudo ', '') : command;
}

const fontCommands = {
  alpine: 'apk add font-noto-all font-noto-cjk font-noto-emoji',
  arch: 'sudo pacman -S noto-fonts noto-fonts-cjk noto-fonts-emoji',
  debian: `sudo apt-get install -y ${fontPackages.join(' ')}`,
  fedora: 'sudo dnf install google-noto-fonts-all',
};

/** The same for fonts alone, as the end of a sentence. */
export function fontAdviceFor({ names = [], administrator } = {}) {
  const known = names.find((name) => name in fontCommands);
  if (!known) return 'Install the Noto fonts of your system.';
  const command =
    administrator === 'root' ? fontCommands[known].replaceAll('sudo ', '') : fontCommands[known];
  return `Install them with: ${command}`;
}
