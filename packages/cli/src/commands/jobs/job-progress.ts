/** How far a job is: a bar at the bottom of a terminal, and elsewhere a line now and then. */
import type { api } from '@browserd/sdk';
import type { Call } from '../../call/call.ts';
import { bar, type Progress, span } from '../../output/output.ts';

const pollMs = 1000;
/** Without a terminal: often enough to see that it lives, seldom enough for a log. */
const lineMs = 10_000;

export class JobProgress implements Disposable {
  readonly #call: Call;
  readonly #progress: Progress;
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #job: api.Job;

  constructor(call: Call, job: api.Job) {
    this.#call = call;
    this.#job = job;
    this.#progress = call.out.progress();
    if (!call.out.showsNotes) return;
    this.#timers.push(setInterval(() => void this.#look().catch(() => {}), pollMs));
    if (!this.#progress.shown)
      this.#timers.push(setInterval(() => call.out.note(progressLine(this.#job)), lineMs));
  }

  async #look(): Promise<void> {
    this.#job = await this.#call.client.jobs.get(this.#job.id, { signal: this.#stop.signal });
    this.#progress.say(progressLine(this.#job, true));
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#stop.abort();
    this.#progress[Symbol.dispose]();
  }
}

export function progressLine({ status, progress }: api.Job, withBar = false): string {
  const { done, failed, skipped, total, etaMs } = progress;
  const finished = done + failed + skipped;
  const parts = [
    `${finished} of ${total}`,
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} skipped`,
    status === 'queued' && 'waiting for room',
    etaMs !== null && finished < total && `about ${span(etaMs)} left`,
  ];
  return `${withBar ? `${bar(finished, total)} ` : ''}${parts.filter(Boolean).join(', ')}`;
}
