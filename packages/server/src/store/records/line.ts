/** Bounds of the line of browsers that wait for a holder. */

/** How many creates may wait for a holder. */
export interface LineLimits {
  most: number;
  mostOfProject: number;
}

/** Which browsers may not be claimed. */
export interface ClaimLimits {
  /** Only so many that no project has more browsers than this at a time, over all nodes. */
  mostOfProject?: number;
  /** No create of these projects. */
  except?: readonly string[];
  /** The releases of Chromium that the node has, by engine: what a later one saved is left to nodes that have that, for a while. */
  majors?: Readonly<Record<string, number>>;
}
