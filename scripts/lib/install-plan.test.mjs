import { describe, expect, test } from 'vitest';
import { adviceFor, fontAdviceFor, installPlan } from './install-plan.mjs';
import { haveFonts, readPolicy } from './machine-facts.mjs';

const debian = {
  'chromium-headless-shell': '156.0.1-1~deb12u1',
  chromium: '156.0.1-1~deb12u1',
  bubblewrap: '0.8.0-2',
  'fonts-liberation': '1:1.07',
  'fonts-noto-color-emoji': '2.042',
  'fonts-noto-core': '20201225-1',
  'fonts-wqy-microhei': '0.2.0',
};
const bare = {
  chromium: false,
  bubblewrap: false,
  fonts: true,
  administrator: 'root',
  apt: true,
  packages: debian,
  glibc: true,
};
const plan = (facts) =>
  installPlan({ ...bare, ...facts }).map(({ gives, by, packages }) =>
    [gives, by, ...(packages ?? [])].join(' '),
  );

describe('what set-up installs', () => {
  test('is nothing where everything is there', () => {
    expect(plan({ chromium: true, bubblewrap: true })).toEqual([]);
  });

  test('on Debian as root: the packages with fonts, Playwright’s Chromium if that fails, and bubblewrap', () => {
    expect(plan({})).toEqual([
      'chromium apt chromium-headless-shell chromium fonts-liberation fonts-noto-color-emoji fonts-noto-core fonts-wqy-microhei',
      'chromium playwright',
      'bubblewrap apt bubblewrap',
    ]);
  });

  test('on an older Debian, which has no headless shell, is Chromium alone', () => {
    const { 'chromium-headless-shell': _, ...older } = debian;
    expect(plan({ packages: older })[0]).toMatch(/^chromium apt chromium fonts/);
  });

  test('is never a snap: Ubuntu gets Playwright’s Chromium with its libraries', () => {
    const ubuntu = { bubblewrap: '0.9.0', chromium: '2:1snap1-0ubuntu2' };
    expect(plan({ packages: ubuntu })).toEqual(['chromium playwright', 'bubblewrap apt bubblewrap']);
    expect(installPlan({ ...bare, packages: ubuntu })[0]).toMatchObject({ withSystemLibraries: true });
  });

  test('as root goes where the unprivileged user of Chromium can read it, otherwise into the user’s own cache', () => {
    const cacheFor = (administrator) => installPlan({ ...bare, administrator, packages: {} })[0].cache;
    expect(cacheFor('root')).toBe('/opt/ms-playwright');
    expect(cacheFor('sudo')).toBeNull();
  });

  test('without administrator rights is a download into the user’s cache and no system library', () => {
    expect(installPlan({ ...bare, administrator: null })).toEqual([
      { gives: 'chromium', by: 'playwright', withSystemLibraries: false, cache: null },
    ]);
  });

  test('is bubblewrap alone where only that is missing', () => {
    expect(plan({ chromium: true })).toEqual(['bubblewrap apt bubblewrap']);
    expect(plan({ chromium: true, administrator: null })).toEqual([]);
  });

  test('is the fonts, also where a Chromium is there already, and only where apt may be used', () => {
    const there = { chromium: true, bubblewrap: true, fonts: false };
    expect(plan(there)).toEqual([
      'fonts apt fonts-liberation fonts-noto-color-emoji fonts-noto-core fonts-wqy-microhei',
    ]);
    expect(plan({ ...there, administrator: null })).toEqual([]);
    expect(plan({ ...there, apt: false })).toEqual([]);
    expect(plan({ ...there, packages: {} })).toEqual([]);
  });

  test('is nothing on Alpine, where Playwright’s builds do not run', () => {
    expect(plan({ apt: false, packages: {}, glibc: false })).toEqual([]);
  });
});

test('the advice is the exact command of the system or of its nearest ancestor', () => {
  const advice = (...names) => adviceFor({ names, administrator: null });
  expect(advice('alpine')).toMatch(/^apk add chromium/);
  expect(advice('raspbian', 'debian')).toMatch(/^sudo apt-get install/);
  expect(advice('linuxmint', 'ubuntu', 'debian')).toMatch(/playwright-core install/);
  expect(advice('darwin')).toMatch(/^brew/);
  expect(advice('plan9')).toBe('npx playwright-core install chromium');
  expect(adviceFor({ names: ['debian'], administrator: 'root' })).toMatch(/^apt-get install/);
});

test('fonts are there when they have emoji and the letters of East Asia, India, Thailand and Arabia', () => {
  const noto = ['Devanagari', 'Thai', 'Arabic'].map((name) => `noto/NotoSans${name}-Regular.ttf`);
  const emoji = 'noto/NotoColorEmoji.ttf';
  expect(haveFonts([...noto, emoji, 'truetype/wqy/wqy-microhei.ttc'])).toBe(true);
  expect(haveFonts([...noto, emoji, 'opentype/noto/NotoSansCJK-Regular.ttc'])).toBe(true);
  expect(haveFonts([...noto, emoji, 'liberation/LiberationSans-Regular.ttf'])).toBe(false);
  expect(haveFonts([...noto, 'truetype/wqy/wqy-microhei.ttc'])).toBe(false);
  for (const missing of noto)
    expect(haveFonts([...noto.filter((file) => file !== missing), emoji, 'wqy-microhei.ttc'])).toBe(false);
  expect(haveFonts([])).toBe(false);
});

test('where fonts cannot be installed, one line says how', () => {
  const names = ['raspbian', 'debian'];
  expect(fontAdviceFor({ names, administrator: null })).toMatch(
    /^Install them with: sudo apt-get install -y .*fonts-noto-core/,
  );
  expect(fontAdviceFor({ names, administrator: 'root' })).not.toContain('sudo');
  expect(fontAdviceFor({ names: ['plan9'] })).toContain('Noto');
});

test('the answer of apt-cache is read as the packages that can be installed', () => {
  const policy = [
    'chromium:\n  Installed: (none)\n  Candidate: 156.0.1-1\n  Version table:\n     156.0.1-1 500',
    'chromium-headless-shell:\n  Installed: (none)\n  Candidate: (none)\n  Version table:',
    'bubblewrap:\n  Installed: 0.8.0-2\n  Candidate: 0.8.0-2\n  Version table:\n *** 0.8.0-2 500\n',
  ].join('\n');
  expect(readPolicy(policy)).toEqual({ chromium: '156.0.1-1', bubblewrap: '0.8.0-2' });
});
