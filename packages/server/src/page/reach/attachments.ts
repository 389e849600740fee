/**
 * Outside CDP clients of living browsers: each behind the filter, side by side with scripts and with each other.
 *
 *   client ─> attach ─> one more session on the pipe ─> leaves, or is disconnected: stopped, closed, crashed, slow
 */
import { type BrowsersOnNode, type CdpClient, CdpError, type Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import { CdpTargets } from './cdp-targets.ts';
import { noTarget } from './page-target.ts';

export interface AttachmentsParts {
  browsers: Pick<BrowsersOnNode, 'use' | 'get'>;
  log: Log;
  /** Raw CDP is handed out only where Chromium is walled in; throws otherwise. */
  checkIsolation(): void;
  /** The node that has a reference in a tab, if one has. */
  resolveRef(running: Running, tabId: string, ref: string): Promise<object | undefined>;
}

/** Why the connection of a client or of a viewer ended. */
export type EndReason = 'left' | 'stopped' | 'closed' | 'crashed' | 'moved' | 'slow';

export interface Visitor {
  onMessage(message: Buffer): void;
  /** More may be sent. */
  onDrain(): void;
  /** Bytes given to `onMessage` that it has not taken yet. */
  waitingBytes(): number;
  /** Its end, once, unless it closed the attachment itself. */
  onEnd(why: EndReason): void;
}

export interface Attachment {
  /** False: nothing more until `onDrain`. */
  send(message: Buffer): boolean;
  close(): Promise<void>;
}

export interface BrowserVersion {
  product: string;
  protocolVersion: string;
  revision: string;
  userAgent: string;
  jsVersion: string;
}

const mostClients = 32;
/** Room for a message of the largest size behind some that are on their way. */
const mostWaitingBytes = 128 * 1024 ** 2;
/** How exactly the time of the owner's last action is known. */
const actedEveryMs = 500;

export class Attachments {
  readonly #parts: AttachmentsParts;
  readonly #clients = new Map<Running, number>();
  /** For clients that look before they connect. */
  readonly targets = new CdpTargets((projectId, id) => this.#letIn(projectId, id));

  constructor(parts: AttachmentsParts) {
    this.#parts = parts;
  }

  checkIsolation(): void {
    this.#parts.checkIsolation();
  }

  /** What Chromium says of itself. */
  async version(projectId: string, id: string): Promise<BrowserVersion> {
    const { live } = await this.#find(projectId, id);
    return live.chromium.cdp.send('Browser.getVersion');
  }

  /** To the whole browser, or to one page of it. */
  async attach(projectId: string, id: string, visitor: Visitor, targetId?: string): Promise<Attachment> {
    const running = await this.#letIn(projectId, id);
    const leave = this.#enter(running);
    try {
      running.left.throwIfAborted();
      const attached = new Attached(this.#parts, running, visitor, leave);
      await attached.open(targetId);
      return attached;
    } catch (error) {
      leave();
      if (!running.left.aborted)
        throw error instanceof CdpError && targetId !== undefined ? noTarget(targetId) : error;
      // It was ended while the client came in: the record says how.
      await this.#parts.browsers.use(projectId, id);
      throw new ApiError('BROWSER_CRASHED', `Chromium of browser ${id} ended meanwhile. Connect again.`);
    }
  }

  /** Clients that are connected now. */
  clientsOf(running: Running): number {
    return this.#clients.get(running) ?? 0;
  }

  async #letIn(projectId: string, id: string): Promise<Running> {
    const running = await this.#find(projectId, id);
    refuseAfterSecret(running);
    return running;
  }

  #find(projectId: string, id: string): Promise<Running> {
    this.#parts.checkIsolation();
    return this.#parts.browsers.use(projectId, id);
  }

  /** Counts a client in; the return value counts it out. */
  #enter(running: Running): () => void {
    const others = this.#clients.get(running) ?? 0;
    if (others >= mostClients)
      throw new ApiError(
        'TOO_MANY_CLIENTS',
        `${mostClients} CDP clients are connected to this browser already. Close one first.`,
        { headers: { 'retry-after': '1' } },
      );
    this.#clients.set(running, others + 1);
    return () => {
      const left = (this.#clients.get(running) ?? 1) - 1;
      if (left > 0) this.#clients.set(running, left);
      else this.#clients.delete(running);
    };
  }
}

function refuseAfterSecret({ secrets: { typed, allowCdp } }: Running): void {
  if (!typed || allowCdp) return;
  throw new ApiError(
    'CDP_CLOSED',
    'A secret was typed in this browser, and a CDP client could read it. Create a browser with `secrets: {allowCdp: true}` for clients that may.',
  );
}

class Attached implements Attachment {
  readonly #parts: AttachmentsParts;
  readonly #running: Running;
  readonly #visitor: Visitor;
  readonly #leave: () => void;
  #stopListening: (() => void) | undefined;
  readonly #onLeft = () => void this.#disconnect();
  #client: CdpClient | undefined;
  #actedAt = 0;
  #emulated = false;
  #closed: Promise<void> | undefined;

  constructor(parts: AttachmentsParts, running: Running, visitor: Visitor, leave: () => void) {
    this.#parts = parts;
    this.#running = running;
    this.#visitor = visitor;
    this.#leave = leave;
  }

  async open(targetId: string | undefined): Promise<void> {
    const { live, left } = this.#running;
    const reasons = { ended: 'crashed', left: 'left', slow: 'slow' } as const;
    this.#client = await live.openClient({
      targetId,
      onMessage: (message) => this.#visitor.onMessage(message),
      onDrain: () => this.#visitor.onDrain(),
      waitingBytes: () => this.#visitor.waitingBytes(),
      maxWaitingBytes: mostWaitingBytes,
      onClose: (reason) => this.#end(reasons[reason]),
      onPassed: (method) => this.#note(method),
      resolveRef: (ref, targetId) => this.#resolveRef(ref, targetId),
      fileElsewhere: 'browserd keeps it: GET …/downloads',
    });
    if (left.aborted) {
      await this.#client.close();
      left.throwIfAborted();
    }
    left.addEventListener('abort', this.#onLeft, { once: true });
    // It answers the dialogs of the pages whose events it gets, and of no others.
    this.#stopListening = live.dialogs.listen((targetId) => this.#client?.hears(targetId) === true);
    this.#running.acted();
  }

  async #resolveRef(ref: string, targetId: string): Promise<object> {
    const tabId = this.#running.live.tabs.tabOf(targetId);
    const found = tabId === undefined ? undefined : await this.#parts.resolveRef(this.#running, tabId, ref);
    if (found) return found;
    throw new CdpError('Browserd.resolveRef', `No element of the page has the reference ${ref} now`);
  }

  #note(method: string): void {
    this.#emulated ||= /^Emulation\.|Override$|NetworkConditions|NetworkState$/.test(method);
  }

  send(message: Buffer): boolean {
    const now = Date.now();
    if (now - this.#actedAt > actedEveryMs) {
      this.#actedAt = now;
      this.#running.acted();
    }
    return this.#client?.send(message) ?? true;
  }

  close(): Promise<void> {
    this.#closed ??= this.#detach();
    return this.#closed;
  }

  #end(why: EndReason): void {
    if (this.#closed) return;
    void this.close();
    this.#visitor.onEnd(why);
  }

  async #detach(): Promise<void> {
    const { live, left } = this.#running;
    left.removeEventListener('abort', this.#onLeft);
    // Before it goes: what it left open is answered by the mode, and it cannot go while a dialog waits for it.
    this.#stopListening?.();
    await this.#client?.close();
    this.#leave();
    // What the client had set for pages ended with it: they look as the browser was made to look. A client that
    // set nothing leaves them as they are, for other clients may have.
    const lost = this.#emulated || live.tabs.needsEmulationAgain;
    if (lost && !left.aborted) await live.tabs.emulateAgain().catch(() => undefined);
  }

  async #disconnect(): Promise<void> {
    if (this.#closed) return;
    void this.close();
    this.#visitor.onEnd(await this.#whyLeft());
  }

  /** Stopped, closed or crashed: the record knows by now, except of a crash, which it learns a little later. */
  async #whyLeft(): Promise<EndReason> {
    const { projectId, id, moved } = this.#running;
    if (moved) return 'moved';
    const browser = await this.#parts.browsers.get(projectId, id).catch((error: unknown) => {
      this.#parts.log.warn({ err: error, browserId: id }, 'cdp.end_reason_unknown');
    });
    if (browser?.status === 'stopping' || browser?.status === 'stopped') return 'stopped';
    if (browser?.status === 'closing' || browser?.status === 'closed') return 'closed';
    return 'crashed';
  }
}
