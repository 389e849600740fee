/**
 * The computer use of one browser: a CDP client of its own, behind the filter like any other, and the keys and buttons that stay
 * pressed from one call to the next.
 *
 *   first call ─> client opened ── session for each tab that is used ── idle, nothing held ──> closed
 */
import type { Running } from '../../browsers/browsers.ts';
import {
  Controls,
  Held,
  type InputCommand,
  type InputMessage,
  type Picker,
  RefusedError,
  Remote,
  type RemoteEvent,
  type Shown,
  type ToldMessage,
} from '../view/view.ts';
import type { Place, View } from './screen.ts';

const idleMs = 30_000;

export interface DeskParts {
  running: Running;
  /** Hands a file of the browser to its Chromium; the path is as Chromium sees it. */
  lend(fileId: string): Promise<string>;
}

export class Desk {
  readonly controls: Controls;
  readonly #running: Running;
  readonly #held = new Held();
  readonly #sessions = new Map<string, string>();
  #remote: Remote | undefined;
  #shown: Shown | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Where the cursor is, in CSS pixels of what shows. */
  cursor: Place = { x: 0, y: 0 };
  /** What was last seen of each tab: a page in a dialog cannot be measured. */
  readonly views = new Map<string, View>();
  /** What the page has opened outside itself. */
  picker: Picker | undefined;
  /** Why it could not be opened. */
  pickerRefusal: string | undefined;
  /** File choosers that Chromium has told of. */
  choosers = 0;

  constructor(parts: DeskParts) {
    this.#running = parts.running;
    this.controls = new Controls(parts);
  }

  /** The tab to act on; another than the last one lets go of what was held there. */
  async at(tabId: string): Promise<Shown> {
    clearTimeout(this.#timer);
    const remote = await this.#open();
    const targetId = this.#running.live.tabs.targetOf(tabId);
    if (!targetId) throw new RefusedError('The tab is gone.');
    const sessionId = this.#sessions.get(targetId) ?? (await this.#attach(remote, targetId));
    if (this.#shown?.sessionId === sessionId) return this.#shown;
    await this.letGo();
    this.controls.leaves();
    this.#shown = { remote, sessionId, tabId, targetId };
    this.controls.shows(this.#shown);
    return this.#shown;
  }

  /** Done in the order given; resolves when the page has answered to all. */
  async act(...messages: InputMessage[]): Promise<void> {
    await this.#send(messages.flatMap((message) => this.#held.commandsFor(message)));
  }

  /** From the next press on, what opens outside the page is noticed. */
  async watchControls(): Promise<void> {
    this.picker = this.pickerRefusal = undefined;
    this.choosers = 0;
    await this.controls.drivenBy(this);
  }

  /** A picker was opened, or is not there any more. */
  tell(message: ToldMessage): void {
    if (message.type === 'picker') this.picker = message.picker;
    else if (message.type === 'refused') this.pickerRefusal = message.message;
  }

  /** After a call: scripts may drag by themselves from here on, and viewers are told of choosers again. */
  async rest(): Promise<void> {
    this.controls.release(this);
    if (this.#held.isToSettle) await this.#send(this.#held.settle()).catch(() => undefined);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#closeIfIdle(), idleMs).unref();
  }

  async letGo(): Promise<void> {
    if (this.#held.isEmpty) return;
    await this.#send([...this.#held.letGo(), ...this.#held.settle()]).catch(() => undefined);
  }

  close(): void {
    clearTimeout(this.#timer);
    const remote = this.#remote;
    this.#forget();
    // Not awaited: it leaves when no dialog is open any more.
    void remote?.close();
  }

  async #open(): Promise<Remote> {
    this.#remote ??= await Remote.open(this.#running, {
      onEvent: (event) => this.#hear(event),
      onEnd: () => this.#forget(),
    });
    return this.#remote;
  }

  async #attach(remote: Remote, targetId: string): Promise<string> {
    const attached = await remote.send('Target.attachToTarget', { targetId, flatten: true });
    const sessionId = String(attached.sessionId);
    this.#sessions.set(targetId, sessionId);
    return sessionId;
  }

  #hear(event: RemoteEvent): void {
    const { method, params } = event;
    if (method === 'Target.detachedFromTarget') this.#detached(String(params.sessionId));
    if (method === 'Page.fileChooserOpened') this.choosers++;
    if (method === 'Input.dragIntercepted' && event.sessionId === this.#shown?.sessionId)
      void this.#send(this.#held.dragBegan(params.data as never)).catch(() => undefined);
    this.controls.hears(event);
  }

  #detached(sessionId: string): void {
    for (const [targetId, known] of this.#sessions) if (known === sessionId) this.#sessions.delete(targetId);
    if (this.#shown?.sessionId !== sessionId) return;
    this.#held.forget();
    this.controls.leaves();
    this.#shown = undefined;
  }

  async #send(commands: InputCommand[]): Promise<void> {
    const shown = this.#shown;
    if (!shown) throw new RefusedError('The tab is gone.');
    await Promise.all(
      commands.map(({ method, params }) => shown.remote.send(method, params, shown.sessionId)),
    );
  }

  #closeIfIdle(): void {
    const busy = !this.#held.isEmpty || this.#running.live.dialogs.waiting().length > 0;
    if (busy) this.#timer = setTimeout(() => this.#closeIfIdle(), idleMs).unref();
    else this.close();
  }

  #forget(): void {
    this.#held.forget();
    this.controls.leaves();
    this.#sessions.clear();
    this.#remote = this.#shown = undefined;
  }
}
