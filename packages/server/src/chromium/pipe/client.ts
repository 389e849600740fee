/** One client of the pipe: its commands are judged, renumbered and sent; what Chromium says to it comes back. */

import { inSteps } from '../../kit/loop-share.ts';
import { Belongings, judge, type Look, lookAt, type Verdict } from '../filter/filter.ts';
import { type Cdp, CdpError } from './cdp.ts';
import { ClientChallenges } from './challenges.ts';
import type { ClientOptions, CloseReason } from './client-options.ts';
import { type Command, type Failure, type Refused, readCommand } from './command.ts';
import { DownloadEvents } from './downloads.ts';
import { readLongMessage } from './judged-command.ts';
import type { LongCommand } from './long-command.ts';
import { NetworkView } from './network-view.ts';
import { peekSession } from './peek.ts';
import { RefusedUploads } from './refused-uploads.ts';
import { ownBytes, withId, withoutSession } from './rewrite.ts';
import { ClientSessions } from './sessions.ts';

interface Pending {
  id: number;
  sessionId: string | undefined;
  look: Look | undefined;
  /** Where the command leads. */
  url: string | undefined;
}

const mostWaitingBytes = 256 * 1024 ** 2;
const mostInFlight = 10_000;
/** Sent by the client but not yet taken by Chromium: time to pause, and to go on. */
const muchUnsent = 16 * 1024 ** 2;
const littleUnsent = 4 * 1024 ** 2;

/** Longer ones are read in steps. */
const longMessage = 256 * 1024;

const leavesPage = new Set(['Page.navigate', 'Page.reload', 'Page.navigateToHistoryEntry']);

const isRead = (command: Command | LongCommand): command is Command => !Buffer.isBuffer(command.params);

const refused = (message: string): Failure => ({ code: -32000, message });
const crowded = 'Too many commands wait for their answers';
const noSession: Failure = { code: -32001, message: 'Session with given id not found.' };

export class MuxClient {
  readonly #cdp: Cdp;
  readonly #options: ClientOptions;
  readonly #network: NetworkView;
  readonly #challenges: ClientChallenges;
  readonly #owned: Belongings;
  readonly #sessions: ClientSessions;
  readonly #downloads: DownloadEvents;
  readonly #uploads = new RefusedUploads();
  readonly #pending = new Map<number, Pending>();
  readonly #stopWaitingForEnd: () => void;
  #served = 0;
  #unsent = 0;
  #paused = false;
  /** A long message is being read. */
  #reading = false;
  readonly #behind: (string | Buffer)[] = [];
  /** What looks like the root to the client: its browser session, or that of the one page it came for. */
  #root: string;
  #closed: Promise<void> | undefined;

  constructor(cdp: Cdp, browserSession: string, options: ClientOptions) {
    this.#cdp = cdp;
    this.#options = options;
    this.#root = browserSession;
    this.#network = new NetworkView(options.outcomeOf, options.secretHeaders);
    this.#challenges = new ClientChallenges((origin) => options.credentialsFor?.(origin));
    this.#owned = new Belongings(browserSession, {
      onContext: (id) => options.rules.onContext?.(id),
      extensionIds: options.rules.extensionIds,
    });
    this.#sessions = new ClientSessions(cdp, this.#owned, {
      heard: (event, method) => {
        if (options.targetId !== undefined && peekSession(event) === browserSession) return;
        this.#challenges.heard(method, event);
        this.#deliver(this.#asRoot(this.#network.event(method, ownBytes(event))));
      },
      gone: (sessionIds) => this.#forget(sessionIds),
    });
    this.#downloads = new DownloadEvents(cdp, (event) => this.#tell(event), options.fileElsewhere);
    this.#stopWaitingForEnd = cdp.onEnd(() => this.#leave('ended'));
  }

  /** To the client the page is all there is. Fails where it may not see it. */
  async enter(targetId: string): Promise<void> {
    const under = { sessionId: this.#owned.browserSession };
    const { sessionId } = await this.#cdp.send('Target.attachToTarget', { targetId, flatten: true }, under);
    if (!this.#owned.ownsSession(sessionId))
      throw new CdpError('Target.attachToTarget', 'No target with given id found');
    this.#root = sessionId;
  }

  send(message: string | Buffer): boolean {
    if (this.#closed) return true;
    if (this.#reading) this.#behind.push(message);
    else if (message.length > longMessage)
      void this.#readLong(typeof message === 'string' ? Buffer.from(message) : message);
    else this.#read(readCommand(message), (command) => this.#take(command));
    if (this.#reading || this.#unsent > muchUnsent) this.#paused = true;
    return !this.#paused;
  }

  /** What the client sends meanwhile waits for it. */
  async #readLong(message: Buffer): Promise<void> {
    const { share } = this.#cdp;
    this.#reading = true;
    const read = await inSteps(share, readLongMessage(message));
    this.#reading = false;
    if (this.#closed) return;
    share.charge(() => {
      this.#read(read, (command) => this.#takeLong(command));
      for (const next of this.#behind.splice(0)) this.send(next);
      this.#goOn();
    });
  }

  #read<C>(read: { command: C } | Refused, take: (command: C) => void): void {
    if ('failure' in read) this.#reply({ id: read.id, error: read.failure, sessionId: read.sessionId });
    else take(read.command);
  }

  #takeLong(command: LongCommand | Command): void {
    const { id, sessionId } = command;
    if (isRead(command)) this.#take(command);
    else if (sessionId !== undefined && !this.#owned.ownsSession(sessionId))
      this.#reply({ id, error: noSession });
    else if (this.#isCrowded) this.#refuse(command, crowded);
    else this.#forward(command);
  }

  hears(targetId: string): boolean {
    return this.#owned.hears(targetId);
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  /** Ends by itself, and says so. */
  #leave(reason: CloseReason): void {
    if (this.#closed) return;
    void this.close();
    this.#options.onClose(reason);
  }

  async #end(): Promise<void> {
    this.#stopWaitingForEnd();
    this.#sessions.stop();
    this.#downloads.stop();
    for (const id of this.#pending.keys()) this.#cdp.forget(id);
    this.#pending.clear();
    await this.#options.beforeDetach?.();
    await this.#cdp
      .send('Target.detachFromTarget', { sessionId: this.#owned.browserSession })
      .catch(() => undefined);
    await this.#options.afterDetach?.();
  }

  #take(command: Command): void {
    const { id, sessionId } = command;
    if (sessionId !== undefined && !this.#owned.ownsSession(sessionId)) {
      this.#reply({ id, error: noSession });
      return;
    }
    const instead = this.#uploads.answerTo(command);
    if (instead) {
      this.#reply({ id, result: instead, sessionId });
      return;
    }
    const verdict = this.#judge(command);
    switch (verdict.kind) {
      case 'pass':
        this.#forward({ ...command, params: this.#challenges.answer(command.method, verdict.params) });
        break;
      case 'serve':
        void this.#serve(command, verdict);
        break;
      case 'ask':
        void this.#answer(command, verdict.ask());
        break;
      case 'leave':
        this.#reply({ id, result: {}, sessionId });
        queueMicrotask(() => this.#leave('left'));
        break;
      case 'refuse':
        if (command.method === 'DOM.setFileInputFiles')
          this.#uploads.refused(sessionId ?? '', command.params.files, verdict.message);
        this.#refuse(command, verdict.message);
    }
  }

  get #isCrowded(): boolean {
    return this.#pending.size + this.#served >= mostInFlight;
  }

  #judge({ method, params, sessionId }: Command): Verdict {
    if (this.#isCrowded) return { kind: 'refuse', message: crowded };
    const owned = this.#owned;
    return judge(method, params, {
      rules: this.#options.rules,
      owned,
      sessionId: sessionId ?? this.#root,
    });
  }

  #forward(command: Command | LongCommand): void {
    const { id, method, params } = command;
    const sessionId = command.sessionId ?? this.#root;
    const targetId = leavesPage.has(method) && this.#owned.targetOf(sessionId);
    if (targetId) this.#options.onLeavingPage?.(targetId);
    const written = isRead(command) ? command.written?.(command.params) : undefined;
    const sent = this.#cdp.relay(
      { method, params: written ?? params, sessionId },
      (answer, relayId) => this.#answered(relayId, answer),
      (bytes) => this.#written(bytes),
    );
    if (!sent) {
      this.#refuse(command, 'Message is too large');
      return;
    }
    if (method === 'Fetch.failRequest' && !Buffer.isBuffer(params)) this.#network.ended(params.requestId);
    if (method === 'Runtime.runIfWaitingForDebugger') this.#cdp.waiting.release(sessionId);
    if (method === 'Page.enable' || method === 'Page.disable')
      this.#owned.setHearing(sessionId, method === 'Page.enable');
    if (method === 'Page.setInterceptFileChooserDialog' && !Buffer.isBuffer(params)) {
      const target = this.#owned.targetOf(sessionId);
      if (target) this.#cdp.choosers.note(sessionId, target, params.enabled === true);
    }
    this.#options.onPassed?.(method);
    this.#unsent += sent.bytes;
    this.#pending.set(sent.id, {
      id,
      sessionId: command.sessionId,
      look: Buffer.isBuffer(params) ? undefined : lookAt(method, params),
      url: method === 'Page.navigate' && !Buffer.isBuffer(params) ? String(params.url) : undefined,
    });
  }

  async #serve(command: Command, { method, params }: Extract<Verdict, { kind: 'serve' }>): Promise<void> {
    if (command.method === 'Browser.setDownloadBehavior')
      this.#downloads.wanted(command.sessionId, command.params);
    await this.#answer(
      command,
      this.#cdp.send(method, params as never).then(() => {
        this.#options.onServed?.(method, params);
        return {};
      }),
    );
  }

  async #answer({ id, sessionId }: Command, done: Promise<object>): Promise<void> {
    this.#served++;
    try {
      this.#tell({ id, result: await done, sessionId });
    } catch (error) {
      const reason = error instanceof CdpError ? error.reason : 'Chromium did not answer';
      this.#tell({ id, error: refused(reason), sessionId });
    } finally {
      this.#served--;
    }
  }

  #written(bytes: number): void {
    this.#unsent -= bytes;
    this.#goOn();
  }

  #goOn(): void {
    if (!this.#paused || this.#reading || this.#unsent > littleUnsent || this.#closed) return;
    this.#paused = false;
    this.#options.onDrain?.();
  }

  #answered(relayId: number, answer: Buffer): void {
    const pending = this.#pending.get(relayId);
    if (!pending) return;
    this.#pending.delete(relayId);
    const { id, look, url, sessionId } = pending;
    if (!look) {
      this.#deliver(this.#asRoot(withId(this.#network.arrival(ownBytes(answer), url), id)));
      return;
    }
    const { result, error } = JSON.parse(answer.toString());
    const seen = result && look(result, this.#owned, sessionId ?? this.#root);
    const failure = error ?? (seen ? undefined : refused('No target with given id found'));
    this.#tell({ id, result: seen, error: failure, sessionId });
  }

  #forget(sessionIds: ReadonlySet<string>): void {
    if (sessionIds.has(this.#root)) queueMicrotask(() => this.#leave('left'));
    for (const sessionId of sessionIds) {
      this.#downloads.forget(sessionId);
      this.#uploads.forget(sessionId);
    }
    for (const [relayId, pending] of this.#pending) {
      if (!sessionIds.has(pending.sessionId ?? '')) continue;
      this.#pending.delete(relayId);
      this.#cdp.forget(relayId);
    }
  }

  #asRoot(message: Buffer): Buffer {
    return peekSession(message) === this.#root ? withoutSession(message) : message;
  }

  #refuse({ id, sessionId }: Pick<Command, 'id' | 'sessionId'>, message: string): void {
    this.#reply({ id, error: refused(message), sessionId });
  }

  /** Like `#tell`, but not before the client has finished sending. */
  #reply(message: object): void {
    queueMicrotask(() => this.#tell(message));
  }

  #tell(message: object): void {
    this.#deliver(Buffer.from(JSON.stringify(message)));
  }

  #deliver(message: Buffer): void {
    if (this.#closed) return;
    const most = this.#options.maxWaitingBytes ?? mostWaitingBytes;
    const waiting = this.#options.waitingBytes?.() ?? 0;
    if (waiting > 0 && waiting + message.length > most) this.#leave('slow');
    else this.#options.onMessage(message);
  }
}
