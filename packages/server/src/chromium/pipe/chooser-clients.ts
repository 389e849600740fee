/**
 * Which targets have a client that takes their file choosers for itself. Chromium tells all sessions that asked; the service
 * asks a person only where no program waits for the same chooser.
 */
export class ChooserClients {
  /** The target of each session that takes them. */
  readonly #targets = new Map<string, string>();

  note(sessionId: string, targetId: string, takes: boolean): void {
    if (takes) this.#targets.set(sessionId, targetId);
    else this.#targets.delete(sessionId);
  }

  release(sessionId: string): void {
    this.#targets.delete(sessionId);
  }

  /** Whether a session other than the asker's own takes those of the target. */
  isTaken(targetId: string, isOwn: (sessionId: string) => boolean): boolean {
    return [...this.#targets].some(([sessionId, target]) => target === targetId && !isOwn(sessionId));
  }
}
