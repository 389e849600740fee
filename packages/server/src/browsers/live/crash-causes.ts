/** Why pages crash: Chromium says how a process ended, not who ended it. */
const outOfMemory = 'out of memory';
/** Chromium tells of the end of a process within this time. */
const causeMs = 5000;

export class CrashCauses {
  #expected = { reason: '', until: 0 };
  /** Asked why a process was killed, when the service did not do it. */
  explainKilled: () => string | undefined = () => undefined;

  /** A process is being ended for this reason: pages that crash now crash because of it. */
  expect(reason: string): void {
    this.#expected = { reason, until: performance.now() + causeMs };
  }

  get current(): string | undefined {
    return performance.now() < this.#expected.until ? this.#expected.reason : undefined;
  }

  of(status: string): string | undefined {
    if (status === 'oom') return this.current ?? outOfMemory;
    return status === 'killed' ? (this.current ?? this.explainKilled()) : undefined;
  }
}
