/** A trial: one framework, unchanged, does one thing at a real service. */
import type { World } from './world.ts';

export interface Trial {
  /** The folder below `projects` in which the framework is installed. */
  project: string;
  /** The framework by the name that its registry has. */
  framework: string;
  /** What is shown, as a sentence. */
  shows: string;
  /** Why it cannot be tried on this machine; absent: it can. */
  unavailable?(): Promise<string | undefined>;
  /** Throws what went wrong. */
  run(world: World): Promise<void>;
}
