/**
 * Whose page is next. Projects take turns, and within a project its jobs: the one with the fewest pages at work comes first,
 * among equals the one that was served longest ago. So ten thousand pages of one project do not stand before ten of another.
 */

export interface ActiveJob {
  readonly id: string;
  readonly projectId: string;
  concurrency: number;
  seeded: boolean;
  /** Pages at work on this node. */
  running: number;
  /** It has no page that could begin before this time. */
  restUntil: number;
  served: number;
}

export class Turns {
  readonly #jobs = new Map<string, ActiveJob>();
  readonly #served = new Map<string, number>();
  #turn = 0;

  get(id: string): ActiveJob | undefined {
    return this.#jobs.get(id);
  }

  /** The jobs that are not over, as the store has them. Returns those that were here and are over now. */
  replace(found: readonly Pick<ActiveJob, 'id' | 'projectId' | 'concurrency' | 'seeded'>[]): string[] {
    const over = new Set(this.#jobs.keys());
    for (const { id, projectId, concurrency, seeded } of found) {
      over.delete(id);
      const known = this.#jobs.get(id);
      if (known) {
        Object.assign(known, { concurrency, seeded });
        // Its pages may be at work on another node: a look is the time to ask again.
        if (known.restUntil === Number.POSITIVE_INFINITY) known.restUntil = 0;
      } else this.#jobs.set(id, { id, projectId, concurrency, seeded, running: 0, restUntil: 0, served: 0 });
    }
    for (const id of over) this.#jobs.delete(id);
    return [...over];
  }

  remove(id: string): void {
    this.#jobs.delete(id);
  }

  /** The job whose turn it is, of a project that is not in `without`. */
  next(now: number, without: ReadonlySet<string>): ActiveJob | undefined {
    const running = new Map<string, number>();
    for (const job of this.#jobs.values())
      running.set(job.projectId, (running.get(job.projectId) ?? 0) + job.running);
    const waiting = [...this.#jobs.values()].filter(
      (job) => job.running < job.concurrency && job.restUntil <= now && !without.has(job.projectId),
    );
    const [first] = waiting.sort(
      (a, b) =>
        (running.get(a.projectId) ?? 0) - (running.get(b.projectId) ?? 0) ||
        (this.#served.get(a.projectId) ?? 0) - (this.#served.get(b.projectId) ?? 0) ||
        a.running - b.running ||
        a.served - b.served,
    );
    return first;
  }

  serve(job: ActiveJob): void {
    job.served = ++this.#turn;
    this.#served.set(job.projectId, this.#turn);
    if (this.#served.size > 2 * this.#jobs.size + 100) this.#forgetServed();
  }

  /** When the next job that rests wakes up. */
  nextDue(): number | undefined {
    const due = [...this.#jobs.values()]
      .filter((job) => job.running < job.concurrency && Number.isFinite(job.restUntil))
      .map(({ restUntil }) => restUntil);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  unseeded(): ActiveJob[] {
    return [...this.#jobs.values()].filter(({ seeded }) => !seeded);
  }

  /** Of projects without a job, nothing needs to be known. */
  #forgetServed(): void {
    const here = new Set([...this.#jobs.values()].map(({ projectId }) => projectId));
    for (const projectId of this.#served.keys()) if (!here.has(projectId)) this.#served.delete(projectId);
  }
}
