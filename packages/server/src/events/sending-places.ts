/**
 * How many deliveries are on their way at a time. A receiver may be silent for as long as an attempt lasts, so a project whose
 * receivers are must not take the places of others: each has a few that are its own, and up to a share of those that all have
 * together.
 */
export interface PlaceLimits {
  /** Of each project, whatever others do. */
  own: number;
  ofProject: number;
  inAll: number;
}

export class SendingPlaces {
  readonly #limits: PlaceLimits;
  readonly #taken = new Map<string, number>();
  #inAll = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Takes as many as there are, up to the number wanted; the return value is given back one by one. */
  take(projectId: string, wanted: number): number {
    const { own, ofProject, inAll } = this.#limits;
    const mine = this.#taken.get(projectId) ?? 0;
    const free = Math.max(own - mine, Math.min(ofProject - mine, inAll - this.#inAll));
    const taken = Math.max(0, Math.min(wanted, free));
    this.#count(projectId, taken);
    return taken;
  }

  giveBack(projectId: string, places: number): void {
    this.#count(projectId, -places);
  }

  #count(projectId: string, by: number): void {
    this.#inAll += by;
    const left = (this.#taken.get(projectId) ?? 0) + by;
    if (left > 0) this.#taken.set(projectId, left);
    else this.#taken.delete(projectId);
  }
}
