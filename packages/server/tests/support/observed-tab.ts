/** A real Chromium with one tab, looked at as the service looks at the tab of a browser. */
import type { Running } from '../../src/browsers/browsers.ts';
import { launchRig, type Rig } from '../../src/chromium/pipe/mux.fixture.ts';
import { type ReadTree, readTree, type SeenNode, type SeenPage } from '../../src/page/observe/observe.ts';

export class Tab implements AsyncDisposable {
  readonly #rig: Rig;
  readonly sessionId: string;
  readonly running: Running;
  readonly tabId: string;

  private constructor(rig: Rig, targetId: string, sessionId: string) {
    this.#rig = rig;
    this.sessionId = sessionId;
    this.tabId = targetId;
    const tabs = {
      targetOf: (tabId: string) => (tabId === targetId ? targetId : undefined),
      sessionOf: () => sessionId,
      hasCrashed: () => false,
      crashReason: () => undefined,
    };
    const live = { chromium: rig.chromium, tabs, dialogs: { holds: () => false }, engine: 'shell' };
    this.running = { live } as unknown as Running;
  }

  static async open(): Promise<Tab> {
    const rig = await launchRig();
    const { cdp } = rig.chromium;
    const { targetInfos } = await cdp.send('Target.getTargets');
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
    const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
    await cdp.send('Page.enable', undefined, { sessionId });
    return new Tab(rig, targetId, sessionId);
  }

  async goto(url: string): Promise<void> {
    const { cdp } = this.#rig.chromium;
    const { promise, resolve } = Promise.withResolvers<void>();
    const off = cdp.on('Page.loadEventFired', () => resolve());
    await cdp.send('Page.navigate', { url }, { sessionId: this.sessionId });
    await promise;
    off();
  }

  /** In the page's own world. */
  async run(expression: string): Promise<unknown> {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { cdp } = this.#rig.chromium;
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', asked, {
      sessionId: this.sessionId,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  read(asked: Partial<ReadTree> = {}): Promise<SeenPage> {
    return readTree(this.running, this.tabId, { ms: 20_000, ...asked });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#rig[Symbol.asyncDispose]();
  }
}

/** Every node of a tree, in order. */
export function nodesOf({ root }: SeenPage): SeenNode[] {
  const found: SeenNode[] = [];
  const todo: SeenNode[] = [root];
  for (let next = todo.pop(); next; next = todo.pop()) {
    found.push(next);
    todo.push(...next.children.filter((child) => typeof child !== 'string').toReversed());
  }
  return found;
}

/** One line for each node and text, for a person who reads a failing test. */
export function linesOf({ root }: SeenPage): string[] {
  const lines: string[] = [];
  const write = (node: SeenNode | string, depth: number): void => {
    const indent = '  '.repeat(depth);
    if (typeof node === 'string') {
      lines.push(`${indent}${node}`);
      return;
    }
    const { role, name, ref, value, states = [], notes = {}, level, box, interactive, place } = node;
    const facts = [
      name && JSON.stringify(name),
      level && `level ${level}`,
      value !== undefined && `= ${value}`,
      ...states,
      ...Object.entries(notes).map(([key, note]) => `${key}: ${note}`),
      box && `at ${box.join(',')}`,
      place,
      interactive && 'operable',
      ref && `[${ref}]`,
    ];
    lines.push(`${indent}- ${[role, ...facts.filter(Boolean)].join(' ')}`);
    for (const child of node.children) write(child, depth + 1);
  };
  for (const child of root.children) write(child, 0);
  return lines;
}
