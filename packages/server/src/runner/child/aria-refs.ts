/**
 * `aria-ref=e12` in scripts. References are given by the service, over calls and runners, so Playwright does not know them: before an
 * operation that names one, the service is asked which node it is, and that node is put where Playwright looks references up.
 *
 *   aria-ref=f2e12 ──> service: backend node, frame ──> element in Playwright's world of that frame ──> its `aria-ref` engine
 *
 * Playwright's own snapshots give references of the same form. In a call that has taken one, Playwright's come first; in any other,
 * those of the service. What neither knows matches nothing, as any other locator.
 */
import type { Call } from './call.ts';
import type { Control } from './control.ts';
import {
  type ClientObject,
  type FrameSelectors,
  type InjectedScript,
  prototypeWith,
  type ServerFrame,
  type ServerPage,
  serverPageOf,
} from './playwright-inside.ts';

const pattern = /aria-ref=((?:f\d{1,9})?e\d{1,9})/g;
const mostAtOnce = 20;
const mostKept = 1000;

interface Resolved {
  backendNodeId: number;
  frameId: string;
}

export class AriaRefs {
  readonly #control: Pick<Control, 'ask'>;
  /** Calls whose script has taken a snapshot of its own. */
  readonly #ownSnapshots = new WeakSet<Call>();
  /** The frames of references that the service gave. */
  readonly #frames = new WeakMap<ServerPage, Map<string, ServerFrame>>();
  #isPlaywrightFirst = false;
  #isPatched = false;

  constructor(control: Pick<Control, 'ask'>) {
    this.#control = control;
  }

  /** Resolves when Playwright can find what the operation names; undefined: it names no reference. */
  before(call: Call, object: ClientObject, method: string, params: unknown): Promise<void> | undefined {
    const { mode, selector, source, target } = (params ?? {}) as Partial<Record<string, unknown>>;
    if (method.startsWith('ariaSnapshot') && mode === 'ai') this.#ownSnapshots.add(call);
    const named = [selector, source, target].filter(
      (text) => typeof text === 'string' && text.includes('aria-ref='),
    );
    if (named.length === 0) return undefined;
    const refs = [...new Set([...named.join(' ').matchAll(pattern)].map(([, ref]) => ref as string))];
    const page = serverPageOf(object);
    if (!page) return undefined;
    this.#isPlaywrightFirst = this.#ownSnapshots.has(call);
    this.#patch(page);
    // Queries of all elements at once run in the page's own world.
    const worlds = method === 'evalOnSelectorAll' ? (['utility', 'main'] as const) : (['utility'] as const);
    const all = refs.slice(0, mostAtOnce).map((ref) => this.#resolve(page, ref, worlds));
    const ended = new Promise<void>((resolve) =>
      call.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    return Promise.race([Promise.all(all).then(() => undefined), ended]);
  }

  /** What cannot be resolved is left to Playwright, which finds nothing and says so. */
  async #resolve(page: ServerPage, ref: string, worlds: readonly ('utility' | 'main')[]): Promise<void> {
    try {
      const targetId = page.delegate?._targetId ?? '';
      const found = (await this.#control.ask({ op: 'ref', ref, targetId })).value as Resolved | null;
      if (!found) return;
      const frame = page.frameManager.frames().find(({ _id }) => _id === found.frameId);
      if (!frame) return;
      this.#keep(page, ref, frame);
      const isFirst = !this.#isPlaywrightFirst;
      for (const world of worlds) await put(page, frame, world, ref, found.backendNodeId, isFirst);
    } catch {
      // the page has changed meanwhile
    }
  }

  #keep(page: ServerPage, ref: string, frame: ServerFrame): void {
    const frames = this.#frames.get(page) ?? new Map<string, ServerFrame>();
    this.#frames.set(page, frames);
    if (frames.size >= mostKept) frames.clear();
    frames.set(ref, frame);
  }

  /** Once a process: Playwright looks for the frame of a reference by a number of its own. */
  #patch(page: ServerPage): void {
    if (this.#isPatched) return;
    this.#isPatched = true;
    const name = '_jumpToAriaRefFrameIfNeeded';
    const selectors = prototypeWith<FrameSelectors>(page.mainFrame().selectors, name);
    const jump = selectors[name];
    const frameOf = (owner: ServerPage, ref: string): ServerFrame | undefined => {
      const frame = this.#frames.get(owner)?.get(ref);
      return frame && owner.frameManager.frames().includes(frame) ? frame : undefined;
    };
    const isPlaywrightFirst = (): boolean => this.#isPlaywrightFirst;
    selectors[name] = function (selector, info, frame) {
      const [part] = info.parsed.parts;
      if (part?.name !== 'aria-ref') return jump.call(this, selector, info, frame);
      const ours = frameOf(this.frame._page, String(part.body));
      if (ours && !isPlaywrightFirst()) return ours;
      try {
        return jump.call(this, selector, info, frame);
      } catch {
        // A frame that is gone: nothing in this one has the reference.
        return ours ?? frame;
      }
    };
  }
}

async function put(
  page: ServerPage,
  frame: ServerFrame,
  world: 'utility' | 'main',
  ref: string,
  backendNodeId: number,
  isFirst: boolean,
): Promise<void> {
  const context = await frame.context(world);
  const session = page.delegate?._sessionForFrame(frame);
  const element = await session?._adoptBackendNodeId(backendNodeId, context);
  if (!element) return;
  const injected = await context.injectedScript();
  await injected.evaluate(install, { ref, element, isFirst });
  element.dispose();
}

/** In the page: what is given comes before or after what Playwright's last snapshot gave. */
function install(
  injected: InjectedScript,
  { ref, element, isFirst }: { ref: string; element: unknown; isFirst: boolean },
): void {
  let engine = injected._engines.get('aria-ref') as InjectedEngine;
  if (!engine.given) {
    const playwrights = engine;
    const given = new Map<string, Connected>();
    engine = {
      given,
      isFirst,
      queryAll(root, asked) {
        const ours = given.get(asked);
        const found = ours?.isConnected ? [ours] : [];
        const others = playwrights.queryAll(root, asked);
        const [first, second] = engine.isFirst ? [found, others] : [others, found];
        return first.length > 0 ? first : second;
      },
    };
    injected._engines.set('aria-ref', engine);
  }
  engine.isFirst = isFirst;
  engine.given?.set(ref, element as Connected);
}

type Connected = { readonly isConnected: boolean };

interface InjectedEngine {
  given?: Map<string, Connected>;
  isFirst?: boolean;
  queryAll(root: unknown, selector: string): unknown[];
}
