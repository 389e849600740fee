/**
 * Whose page is next. Projects take turns, and within a project its jobs: the one with the fewest pages at work comes first,
 * among equals the one that was served longest ago. So ten thousand pages of one project do not stand before ten of another.
 *
 * The pages of a batch are shared by all nodes. A crawl is at work on one, which keeps the pace that its site asks for, and
 * reads its rules and sitemaps once; the crawls of a project at one site are at work on the same node.
 */

export interface ActiveJob {
  readonly id: string;
  readonly projectId: string;
  /** Where it begins, if it goes on from its pages. */
  readonly url: string | null;
  concurrency: number;
  seeded: boolean;
  /** Pages at work on this node. */
  running: number;
  /** It has no page that could begin before this time. */
  restUntil: number;
  served: number;
}

type Found = Pick<ActiveJob, 'id' | 'projectId' | 'url' | 'concurrency' | 'seeded'>;

export class Turns {
  readonly #isMine: (name: string) => boolean;
  readonly #jobs = new Map<string, ActiveJob>();
  readonly #served = new Map<string, number>();
  #turn = 0;

  /** Which of the names is this node's. */
  constructor(isMine: (name: string) => boolean = () => true) {
    this.#isMine = isMine;
  }

  get(id: string): ActiveJob | undefined {
    return this.#jobs.get(id);
  }

  /** The jobs that are not over, as the store has them. Returns those that were here and are over now. */
  replace(found: readonly Found[]): string[] {
    const over = new Set(this.#jobs.keys());
    for (const { id, projectId, url, concurrency, seeded } of found) {
      over.delete(id);
      const known = this.#jobs.get(id);
      if (known) {
        Object.assign(known, { concurrency, seeded });
        // Its pages may be at work on another node: a look is the time to ask again.
        if (known.restUntil === Number.POSITIVE_INFINITY) known.restUntil = 0;
      } else {
        const fresh = { running: 0, restUntil: 0, served: 0 };
        this.#jobs.set(id, { id, projectId, url, concurrency, seeded, ...fresh });
      }
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
      (job) =>
        job.running < job.concurrency &&
        job.restUntil <= now &&
        !without.has(job.projectId) &&
        this.#isOurs(job),
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
      .filter((job) => job.running < job.concurrency && Number.isFinite(job.restUntil) && this.#isOurs(job))
      .map(({ restUntil }) => restUntil);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  unseeded(): ActiveJob[] {
    return [...this.#jobs.values()].filter((job) => !job.seeded && this.#isOurs(job));
  }

  #isOurs({ projectId, url }: ActiveJob): boolean {
    return url === null || this.#isMine(`crawl ${projectId} ${URL.parse(url)?.host}`);
  }

  /** Of projects without a job, nothing needs to be known. */
  #forgetServed(): void {
    const here = new Set([...this.#jobs.values()].map(({ projectId }) => projectId));
    for (const projectId of this.#served.keys()) if (!here.has(projectId)) this.#served.delete(projectId);
  }
}
