/** What live browsers share on this node, and what one of them may ask for when it is opened. */
import type { Branch, Ceiling, Gate } from '../../egress/egress.ts';
import type { ProjectFonts } from '../../fonts/fonts.ts';
import type { Engine } from '../../kit/engine.ts';
import type { Isolation, MemoryGroups, MemoryWatch, Pauses } from '../../process/process.ts';
import type { DiskWatch, Exchanges, ProfileFolders } from '../disk/disk.ts';
import type { FilterLists } from '../interception/interception.ts';
import type { ExitName, Settings } from '../record/record.ts';
import type { WantedExtension } from './extensions.ts';

export interface LiveParts {
  profiles: ProfileFolders;
  exchanges: Exchanges;
  disk: DiskWatch;
  /** Room on the disk of the exchange that is left alone. */
  reserveBytes: number;
  isolation: Isolation;
  binaries: Partial<Record<Engine, string>>;
  sandbox: boolean;
  /** That one browser may have. */
  mostTabs: number;
  memory: MemoryWatch;
  /** Where the kernel itself can hold the limits. */
  memoryGroups: MemoryGroups | undefined;
  pauses: Pauses;
  /** For a browser that asked for no other, a warm one or one for guests. */
  memoryMb: number;
  launchTimeoutMs: number;
  cdpTimeoutMs: number;
  messageLimitBytes: number;
  dialogTimeoutMs: number;
  /** Whether errors in the consoles of pages become events. */
  consoleEvents: boolean;
  /** Whether the requests of pages are logged. */
  networkLog: boolean;
  /** The service's own addresses, never reachable from a managed browser. */
  ownListeners(): { host: string; port: number }[];
  /** How far into private networks the operator lets policies go. */
  ceiling: Ceiling;
  /** Of this node, if it is one of several: their bytes leave only while it may act. */
  gate?: Gate | undefined;
  /** Name servers; empty: those of the machine. */
  dnsServers: readonly string[];
  /** That the operator provides. */
  lists: FilterLists;
  /** Given each exit as it opens; what it returns is used in its place. */
  watchExit?<Way extends Branch>(exit: Way): Way;
}

/** What of its settings decides where its connections go, and whom it believes there. */
export type NetworkSettings = Pick<Settings, ExitName>;

export interface OpenOptions {
  engine: Engine;
  /** The folder of a browser that comes back; otherwise a new one is made, and removed if this fails. */
  folder?: string;
  /** Only of the engine `full`. */
  extensions?: readonly WantedExtension[] | undefined;
  /** Of its project, beside those of the machine. */
  fonts?: ProjectFonts | undefined;
  inBackground?: boolean | 'always';
  onSpawn?(hurry: () => void): void;
  signal?: AbortSignal;
}
