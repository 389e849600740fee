/**
 * Playwright's connection to the browser: CDP messages as frames on an inherited socket. It also notices which tab
 * comes to the front, and hides from Playwright the dialogs that the script does not listen for: Playwright would
 * dismiss them, but the service answers them.
 */
import type { Socket } from 'node:net';
import { FrameReader, frame, limits } from '../wire/wire.ts';
import type { Transport } from './session.ts';

interface CdpMessage {
  method?: string;
  sessionId?: string;
  params?: { files?: string[]; targetId?: string; sessionId?: string; targetInfo?: TargetInfo };
}
interface TargetInfo {
  targetId: string;
  type: string;
  subtype?: string;
}

export interface CdpHooks {
  /** The tab now in front among those that came there since `watchFront`. */
  onFront(targetId: string | undefined): void;
  wantsDialogs(targetId: string): boolean;
  /** The path of a file as the browser sees it, for one the script was given. */
  browserPath(path: string): string;
}

export class CdpPipe implements Transport {
  onmessage: ((message: object) => void) | undefined;
  onclose: ((reason?: string) => void) | undefined;
  readonly #socket: Socket;
  readonly #hooks: CdpHooks;
  readonly #targets = new Map<string, string>();
  readonly #arrived: CdpMessage[] = [];
  #fronts: string[] | undefined;
  #closed = false;
  #sent = 0;

  constructor(socket: Socket, hooks: CdpHooks) {
    this.#socket = socket;
    this.#hooks = hooks;
    const reader = new FrameReader(limits.cdpFrame);
    socket.on('data', (chunk: Buffer) => {
      for (const whole of reader.read(chunk)) this.#arrive(JSON.parse(whole.toString('utf8')));
    });
    socket.on('close', () => this.close());
  }

  send(message: CdpMessage): void {
    if (this.#closed) return;
    const { method, sessionId = '', params } = message;
    if (method === 'Page.bringToFront') this.#toFront(this.#targets.get(sessionId));
    if (method === 'Target.activateTarget') this.#toFront(params?.targetId);
    if (method === 'DOM.setFileInputFiles' && params?.files)
      params.files = params.files.map((path) => this.#hooks.browserPath(path));
    this.#sent++;
    this.#socket.write(frame(Buffer.from(JSON.stringify(message), 'utf8')));
  }

  /** Playwright waits for `onclose` after it closed the connection. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }

  get front(): string | undefined {
    return this.#fronts?.at(-1);
  }

  get sent(): number {
    return this.#sent;
  }

  watchFront(on: boolean): void {
    this.#fronts = on ? [] : undefined;
  }

  /** One message a turn of the event loop: Playwright counts on its promises being settled in between. */
  #arrive(message: CdpMessage): void {
    this.#arrived.push(message);
    if (this.#arrived.length === 1) setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    const message = this.#arrived.shift();
    if (this.#arrived.length > 0) setImmediate(() => this.#deliver());
    if (!message || this.#closed) return;
    this.#watch(message);
    const isDialog = message.method === 'Page.javascriptDialogOpening';
    if (isDialog && !this.#hooks.wantsDialogs(this.#targets.get(message.sessionId ?? '') ?? '')) return;
    this.onmessage?.(message);
  }

  #watch({ method, params }: CdpMessage): void {
    if (method === 'Target.attachedToTarget' && params?.targetInfo) {
      const { targetId, type, subtype } = params.targetInfo;
      this.#targets.set(params.sessionId ?? '', targetId);
      if (type === 'page' && !subtype) this.#toFront(targetId);
    }
    if (method === 'Target.detachedFromTarget') {
      const targetId = this.#targets.get(params?.sessionId ?? '');
      this.#targets.delete(params?.sessionId ?? '');
      if (targetId && this.#fronts?.includes(targetId)) this.#leaveFront(targetId);
    }
  }

  #toFront(targetId: string | undefined): void {
    if (!targetId || !this.#fronts || this.#fronts.at(-1) === targetId) return;
    this.#fronts = [...this.#fronts.filter((each) => each !== targetId), targetId];
    this.#hooks.onFront(targetId);
  }

  #leaveFront(targetId: string): void {
    this.#fronts = this.#fronts?.filter((each) => each !== targetId);
    this.#hooks.onFront(this.#fronts?.at(-1));
  }
}
