/** What a node needs to take its place. */
import type { Log } from '../kit/log.ts';
import type { Store } from '../store/records.ts';

export interface JoinParts {
  store: Store;
  dataDir: string;
  log: Log;
  version?: string;
  zone?: string | null;
  /** How many browsers it may run. */
  maxBrowsers?: number;
  /** The engines that it has, with their versions. */
  engines?: string;
}
