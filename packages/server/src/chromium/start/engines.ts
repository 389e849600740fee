/** Which of the Chromium builds on this machine the service runs, and which one by default. */

import type { Engine } from '../../kit/engine.ts';
import { SetupError } from '../../kit/setup-error.ts';
import type { Isolation } from '../../process/process.ts';
import { type Found, findChromium } from './find.ts';

export interface Engines {
  default: Engine;
  found: Engine[];
  binaries: Partial<Record<Engine, string>>;
}

export class NoChromiumError extends SetupError {}

export async function findEngines(options: {
  engine: 'auto' | Engine;
  chromiumPath: string | null;
  env: Record<string, string | undefined>;
  isolation: Isolation;
}): Promise<Engines> {
  const { engine, chromiumPath, env, isolation } = options;
  const found = await findChromium({ chromiumPath, env, forAnotherUser: isolation.user !== undefined });
  return chooseEngines(engine, found);
}

export function chooseEngines(asked: 'auto' | Engine, found: Found): Engines {
  const engines = (['shell', 'full'] as const).filter((engine) => found[engine]);
  const wanted = asked === 'auto' ? engines[0] : asked;
  if (wanted && engines.includes(wanted))
    return {
      default: wanted,
      found: engines,
      binaries: { shell: found.shell?.path, full: found.full?.path },
    };
  const what = wanted ? `BROWSERD_ENGINE is ${wanted}, but no such Chromium` : 'No Chromium';
  throw new NoChromiumError(
    `${what} was found on this machine. Install one (Debian: apt-get install chromium-headless-shell), ` +
      `or name one with BROWSERD_CHROMIUM_PATH. Searched:\n  ${found.searched.join('\n  ')}`,
  );
}
