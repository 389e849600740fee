/** Live browsers that belong to no record yet: warm ones of the usual engine, new ones of the other. */
import type { ProjectFonts } from '../../fonts/fonts.ts';
import type { Engine } from '../../kit/engine.ts';
import type { Log } from '../../kit/log.ts';
import { createWarmPool, type WarmPool } from '../../process/process.ts';
import type { WantedExtension } from './extensions.ts';
import type { LiveBrowser } from './live-browser.ts';
import type { LiveParts } from './live-parts.ts';
import { openLive } from './open-live.ts';

export interface WarmBrowsers extends Omit<WarmPool<LiveBrowser>, 'take'> {
  /** One that is to have extensions or fonts of its project is always new: Chromium looks for fonts only when it starts. */
  take(
    engine: Engine,
    signal?: AbortSignal,
    extensions?: readonly WantedExtension[],
    fonts?: ProjectFonts,
  ): Promise<LiveBrowser>;
}

export function createWarmBrowsers(options: {
  parts: LiveParts;
  engine: Engine;
  size: number;
  log: Log;
}): WarmBrowsers {
  const { parts, engine: usual, size, log } = options;
  const pool = createWarmPool<LiveBrowser>({
    name: 'browsers',
    size,
    refillPauseMs: 0,
    log,
    start: (how) => openLive(parts, { engine: usual, ...how }),
  });
  return {
    ...pool,
    take: (engine, signal, extensions, fonts) =>
      engine === usual && !extensions?.length && !fonts
        ? pool.take(signal)
        : openLive(parts, { engine, signal, extensions, fonts }),
  };
}
