/**
 * What one client opened, and alone may name again: its sessions (a tree: frames and workers hang below their page),
 * its browser contexts, and the streams it was given to read.
 */
import type { ExtensionIds } from './urls.ts';

interface Session {
  readonly id: string;
  readonly targetId: string;
  /** The session it was opened under; the client's own browser session at the top. */
  readonly parentId: string;
  readonly contextId?: string;
}

/** A client that never closes its streams loses the oldest. */
const keptStreams = 1000;

export class Belongings {
  readonly browserSession: string;
  /** Of the browser: their pages and workers are the client's to use. */
  readonly extensionIds: ExtensionIds | undefined;
  readonly contexts = new Set<string>();
  readonly #sessions = new Map<string, Session>();
  readonly #below = new Map<string, Set<string>>();
  /** Sessions in which the client gets the events of a page. */
  readonly #hearing = new Set<string>();
  /** Sessions in which it has said what media pages are shown on. */
  readonly #media = new Set<string>();
  readonly #streams = new Set<string>();
  readonly #onContext: ((id: string) => void) | undefined;

  constructor(
    browserSession: string,
    { onContext, extensionIds }: { onContext?(id: string): void; extensionIds?: ExtensionIds } = {},
  ) {
    this.browserSession = browserSession;
    this.extensionIds = extensionIds;
    this.#onContext = onContext;
  }

  addContext(id: string): void {
    this.contexts.add(id);
    this.#onContext?.(id);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  ownsSession(id: string): boolean {
    return this.#sessions.has(id);
  }

  targetOf(sessionId: string): string | undefined {
    return this.#sessions.get(sessionId)?.targetId;
  }

  sessionsOf(targetId: string): Session[] {
    return [...this.#sessions.values()].filter((session) => session.targetId === targetId);
  }

  /** The client has turned the events of the page on or off in this session. */
  setHearing(sessionId: string, hearing: boolean): void {
    if (hearing) this.#hearing.add(sessionId);
    else this.#hearing.delete(sessionId);
  }

  /** Whether it is told what happens in this page, such as its dialogs. */
  hears(targetId: string): boolean {
    return [...this.#hearing].some((sessionId) => this.targetOf(sessionId) === targetId);
  }

  /** Whether the page is of a browser context that the client made. */
  isInOwnContext(sessionId: string): boolean {
    return this.contexts.has(this.#sessions.get(sessionId)?.contextId ?? '');
  }

  /** The client says what media the page is shown on: whether for the first time. */
  isFirstMedia(sessionId: string): boolean {
    const isFirst = !this.#media.has(sessionId);
    this.#media.add(sessionId);
    return isFirst;
  }

  addSession(session: Session): void {
    this.#sessions.set(session.id, session);
    const siblings = this.#below.get(session.parentId) ?? new Set();
    this.#below.set(session.parentId, siblings.add(session.id));
  }

  /** Forgets a session and all below it; returns their ids. */
  dropSession(id: string): string[] {
    const session = this.#sessions.get(id);
    if (!session) return [];
    this.#sessions.delete(id);
    this.#hearing.delete(id);
    this.#media.delete(id);
    this.#below.get(session.parentId)?.delete(id);
    const below = [...(this.#below.get(id) ?? [])];
    this.#below.delete(id);
    return [id, ...below.flatMap((child) => this.dropSession(child))];
  }

  addStream(sessionId: string, handle: string): void {
    this.#streams.add(`${sessionId} ${handle}`);
    const [oldest = ''] = this.#streams;
    if (this.#streams.size > keptStreams) this.#streams.delete(oldest);
  }

  ownsStream(sessionId: string, handle: string): boolean {
    return this.#streams.has(`${sessionId} ${handle}`);
  }
}
