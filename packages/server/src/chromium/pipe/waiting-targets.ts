/**
 * New targets (popups, frames, workers) that wait at their first instruction until a client has set them up. In Chromium the
 * first session that lets a target run lets it run for all. So the service, which has a session of its own in each,
 * waits for its clients: until they have said so, have let go of the target, or have left.
 */
export class WaitingTargets {
  /** Sessions of clients, by the target they keep waiting. */
  readonly #holders = new Map<string, Set<string>>();
  readonly #line = new Map<string, () => void>();

  hold(targetId: string, sessionId: string): void {
    this.#holders.set(targetId, (this.#holders.get(targetId) ?? new Set()).add(sessionId));
  }

  /** The client has let the target run, or has no session there any more. */
  release(sessionId: string): void {
    for (const [targetId, holders] of this.#holders) {
      if (!holders.delete(sessionId) || holders.size > 0) continue;
      this.#holders.delete(targetId);
      this.#line.get(targetId)?.();
    }
  }

  /** Resolves when no client keeps the target waiting, or has done so for too long. */
  async free(targetId: string, mostMs: number): Promise<void> {
    if (!this.#holders.has(targetId)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mostMs).unref();
    this.#line.set(targetId, resolve);
    await promise;
    clearTimeout(timer);
    this.#line.delete(targetId);
  }
}
