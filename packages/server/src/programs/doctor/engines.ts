/** Every Chromium that was found is started as the service would, in its box, and ended again. */
import { chmod, chown, mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Binary,
  type Chromium,
  chooseEngines,
  findChromium,
  launchChromium,
  NoChromiumError,
} from '../../chromium/chromium.ts';
import type { Config } from '../../config.ts';
import { pageProgram } from '../../kit/page-program.ts';
import { type Isolation, removeTree } from '../../process/process.ts';
import { type Finding, fail, messageOf, ok, warn } from './finding.ts';
import { nearestFolder } from './folders.ts';

export async function checkEngines(parts: {
  config: Config;
  env: Record<string, string | undefined>;
  isolation: Isolation;
  signal: AbortSignal;
}): Promise<Finding[]> {
  const { config, env, isolation } = parts;
  const found = await findChromium({
    chromiumPath: config.chromiumPath,
    env,
    forAnotherUser: isolation.user !== undefined,
  });
  try {
    chooseEngines(config.engine, found);
  } catch (error) {
    if (!(error instanceof NoChromiumError)) throw error;
    return [fail('chromium', error.message, 'Install a Chromium, or correct BROWSERD_CHROMIUM_PATH.')];
  }
  const findings: Finding[] = [];
  for (const binary of [found.shell, found.full]) if (binary) findings.push(...(await tryOut(binary, parts)));
  // The same fonts for both.
  return findings.filter(({ name }, at) => findings.findIndex((each) => each.name === name) === at);
}

async function tryOut(
  binary: Binary,
  { config, isolation, signal }: { config: Config; isolation: Isolation; signal: AbortSignal },
): Promise<Finding[]> {
  const name = `chromium (${binary.engine})`;
  try {
    await using undo = new AsyncDisposableStack();
    const profileDir = await makeProfile(config.scratchDir, isolation);
    undo.defer(async () => void (await removeTree(profileDir)));
    const chromium = await launchChromium({
      engine: binary.engine,
      binary: binary.path,
      profileDir,
      // No proxy listens there: no page of it gets out.
      proxyUrl: 'http://127.0.0.1:9',
      isolation,
      sandbox: config.sandbox === 'on',
      launchTimeoutMs: config.launchTimeout,
      cdpTimeoutMs: config.cdpTimeout,
      signal,
    });
    undo.defer(async () => {
      chromium.exitListener?.close();
      await chromium.kill();
    });
    const { product } = await chromium.cdp.send('Browser.getVersion');
    return [ok(name, `${product} at ${binary.path} starts`), fontFinding(await missingLetters(chromium))];
  } catch (error) {
    const fix = `Start ${binary.path} --version by hand; install it anew, or name another with BROWSERD_CHROMIUM_PATH.`;
    return [fail(name, messageOf(error), fix)];
  }
}

/** Beside the scratch folder, where profiles will lie; not in it, since a running service owns that. */
async function makeProfile(scratchDir: string, { user }: Isolation): Promise<string> {
  const folder = await mkdtemp(join(nearestFolder(dirname(scratchDir)), 'browserd-doctor-'));
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

const samples = {
  'Latin letters': 'a',
  'Chinese, Japanese and Korean': '漢',
  Arabic: 'ع',
  Hindi: 'क',
  Thai: 'ก',
  emoji: '🧭',
};

const letters = pageProgram<{ missing(samples: Record<string, string>): string[] }>(
  join(import.meta.dirname, 'inside/letters'),
);

async function missingLetters({ cdp }: Chromium): Promise<string[]> {
  const { targetInfos } = await cdp.send('Target.getTargets');
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  const expression = letters.call('missing', samples);
  const { result } = await cdp.send('Runtime.evaluate', { expression, returnByValue: true }, { sessionId });
  return result.value as string[];
}

export function fontFinding(missing: string[]): Finding {
  if (missing.length === 0) return ok('fonts', Object.keys(samples).join(', '));
  return warn(
    'fonts',
    `pages show boxes instead of ${missing.join(', ')}`,
    'Install fonts (Debian, Ubuntu: apt-get install fonts-liberation fonts-noto-color-emoji fonts-noto-core fonts-noto-cjk).',
  );
}
