/** Bounds of the line of browsers that wait for a holder. */

/** How many creates may wait for a holder. */
export interface LineLimits {
  most: number;
  mostOfProject: number;
}

/** Which creates may not be claimed. */
export interface ClaimLimits {
  /** Only so many that no project has more browsers than this at a time, over all nodes. */
  mostOfProject?: number;
  /** None of these projects. */
  except?: readonly string[];
}
