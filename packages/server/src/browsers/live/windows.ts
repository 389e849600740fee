/**
 * Who decides how large a page is. Pages have the viewport of the browser's settings, whatever window Chromium has around
 * them. That gives way to a size that was asked for:
 *
 *   a page opens a window of a size ──> its page has that size
 *   a client sizes a window         ──> its pages have that size, until the client has gone
 *
 * The window that the full engine starts with fills the screen, because that halves what its pages cost. Clients are told
 * of the window it would be otherwise, and get that one when they change it.
 */
import type { Protocol } from 'devtools-protocol';
import { type Cdp, CdpError, type ClientOptions } from '../../chromium/chromium.ts';
import type { TabEntry } from './tab-list.ts';

type Bounds = Protocol.Browser.Bounds;
type WindowCommand = NonNullable<ClientOptions['rules']['window']>;

interface Changed {
  readonly before: Bounds;
  /** The clients that changed it. */
  readonly by: Set<object>;
}

/** That Chromium is started with (`--window-size`). */
const usual = { left: 10, top: 10, width: 1280, height: 720, windowState: 'normal' } as const;

export interface WindowsParts {
  tabs(): readonly TabEntry[];
  /** Their sizes are decided otherwise from now on. */
  /** The size alone: whatever else clients asked for in these tabs stays. */
  sizeIn(tabs: readonly TabEntry[]): Promise<void>;
}

/** One client's hand on the windows. */
export interface WindowClient {
  command: WindowCommand;
  /** It has gone: what it changed is as it was. */
  leave(): Promise<void>;
}

export class Windows {
  readonly #cdp: Cdp;
  readonly #parts: WindowsParts;
  /** Pages with a window of their own size, by their targets. */
  readonly #own = new Set<string>();
  /** Pages of windows that clients have sized. */
  readonly #given = new Set<string>();
  readonly #changed = new Map<number, Changed>();
  /** Windows that a client made fill the screen. */
  readonly #filled = new Set<number>();

  constructor(cdp: Cdp, parts: WindowsParts) {
    this.#cdp = cdp;
    this.#parts = parts;
  }

  /** Whether a page has the size of its window instead of the viewport. */
  decides(targetId: string): boolean {
    return this.#own.has(targetId) || this.#given.has(targetId);
  }

  /** Finds out, before it runs, whether a page that a page or a client opened has a window of its own size. */
  async look(targetId: string): Promise<void> {
    const found = await this.#windowOf(targetId);
    if (!found) return;
    const { windowId, bounds } = found;
    const { width, height, windowState } = bounds;
    if (this.#changed.has(windowId)) this.#given.add(targetId);
    else if (windowState === 'normal' && (width !== usual.width || height !== usual.height))
      this.#own.add(targetId);
  }

  gone(targetId: string): void {
    this.#own.delete(targetId);
    this.#given.delete(targetId);
  }

  client(): WindowClient {
    const client = {};
    return {
      command: (command, targetId) => this.#command(command, targetId, client),
      leave: () => this.#left(client),
    };
  }

  async #command(
    { method, params }: Parameters<WindowCommand>[0],
    ownTargetId: string | undefined,
    client: object,
  ): Promise<object> {
    if (method === 'Browser.getWindowForTarget')
      return this.#told(await this.#cdp.send(method, { targetId: ownTargetId, ...params }));
    const { windowId } = params as { windowId: number };
    if (method === 'Browser.getWindowBounds')
      return this.#told({ windowId, ...(await this.#cdp.send(method, { windowId })) });
    const { bounds: before } = await this.#cdp.send('Browser.getWindowBounds', { windowId });
    const { bounds = {} } = params as { bounds?: Bounds };
    const fills = bounds.windowState === 'fullscreen';
    if (!fills && before.windowState === 'fullscreen' && !this.#filled.has(windowId))
      await this.#cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
    const moves = method === 'Browser.setWindowBounds' && !changesSize(bounds);
    if (!moves) await this.#hand(windowId, before, client);
    await this.#cdp.send(method, params as never);
    if (fills) this.#filled.add(windowId);
    else if (bounds.windowState) this.#filled.delete(windowId);
    return {};
  }

  #told<T extends { windowId?: number; bounds: Bounds }>(found: T): T {
    const { windowId = 0, bounds } = found;
    const ours = bounds.windowState === 'fullscreen' && !this.#filled.has(windowId);
    return ours ? { ...found, bounds: usual } : found;
  }

  /** The pages of this window have its size from now on. */
  async #hand(windowId: number, before: Bounds, client: object): Promise<void> {
    const changed = this.#changed.get(windowId) ?? { before, by: new Set() };
    changed.by.add(client);
    this.#changed.set(windowId, changed);
    const tabs = (await this.#tabsOf(windowId)).filter(({ targetId }) => !this.decides(targetId));
    for (const { targetId } of tabs) this.#given.add(targetId);
    await this.#parts.sizeIn(tabs);
  }

  async #left(client: object): Promise<void> {
    for (const [windowId, { before, by }] of this.#changed) {
      if (!by.delete(client) || by.size > 0) continue;
      this.#changed.delete(windowId);
      this.#filled.delete(windowId);
      await this.#restore(windowId, before).catch(() => undefined);
      const tabs = await this.#tabsOf(windowId);
      for (const { targetId } of tabs) this.#given.delete(targetId);
      await this.#parts.sizeIn(tabs);
    }
  }

  /** Chromium takes a size only for a window in its normal state. */
  async #restore(windowId: number, { windowState, ...size }: Bounds): Promise<void> {
    const set = (bounds: Bounds) => this.#cdp.send('Browser.setWindowBounds', { windowId, bounds });
    await set({ windowState: 'normal' });
    await set(windowState === 'normal' ? size : { windowState });
  }

  async #tabsOf(windowId: number): Promise<TabEntry[]> {
    const found = await Promise.all(
      this.#parts.tabs().map(async (tab) => {
        const its = await this.#windowOf(tab.targetId);
        return its?.windowId === windowId ? tab : undefined;
      }),
    );
    return found.filter((tab) => tab !== undefined);
  }

  /** Undefined: it has none, or is gone. */
  async #windowOf(targetId: string): Promise<{ windowId: number; bounds: Bounds } | undefined> {
    try {
      return await this.#cdp.send('Browser.getWindowForTarget', { targetId });
    } catch (error) {
      if (error instanceof CdpError) return undefined;
      throw error;
    }
  }
}

const changesSize = ({ width, height, windowState }: Bounds): boolean =>
  width !== undefined || height !== undefined || (windowState !== undefined && windowState !== 'normal');
