/** One step of `browser_act`: the actions, the arguments that each needs, and the code that runs in the browser. */
import type { Scope } from '@browserd/sdk';

export const actions = [
  'navigate',
  'back',
  'forward',
  'reload',
  'click',
  'type',
  'select',
  'press',
  'hover',
  'scroll',
  'upload',
  'wait',
  'fillSecret',
] as const;
type Action = (typeof actions)[number];

export interface ActArgs {
  action: Action;
  ref?: string;
  url?: string;
  text?: string;
  submit?: boolean;
  values?: string[];
  key?: string;
  direction?: 'up' | 'down';
  fileIds?: string[];
  secret?: string;
  /** The caller named the tab, so it is brought to the front. */
  toFront?: boolean;
}

/** The arguments that an action cannot do without. */
export const needs: Record<Action, (keyof ActArgs)[]> = {
  navigate: ['url'],
  back: [],
  forward: [],
  reload: [],
  click: ['ref'],
  type: ['ref', 'text'],
  select: ['ref', 'values'],
  press: ['key'],
  hover: ['ref'],
  scroll: [],
  upload: ['ref', 'fileIds'],
  wait: ['text'],
  fillSecret: ['ref', 'secret'],
};

/** What the script returns when its reference is none. */
export const noSuchRef = 'REF_NOT_FOUND';

/**
 * Sent as its source and run by the runner, so it can use nothing of this file. A step is over when its effects have
 * settled: requests that it started get a moment, a new page until its document has loaded.
 */
export async function act({
  page,
  context,
  args,
  files,
  secrets,
  sleep,
}: Scope<ActArgs>): Promise<string | undefined> {
  const [stepMs, settleMs, loadMs] = [10_000, 2000, 20_000];
  const target = () => page.locator(`aria-ref=${args.ref}`);
  // runs in the page
  const scrollScreen = (share: number) => {
    const view = globalThis as unknown as { innerHeight: number; scrollBy(x: number, y: number): void };
    view.scrollBy(0, share * view.innerHeight);
  };
  const limit = { timeout: stepMs };
  const load = { timeout: loadMs, waitUntil: 'domcontentloaded' as const };
  const steps: Record<Action, () => Promise<unknown>> = {
    navigate: () => page.goto(args.url ?? '', load),
    back: () => page.goBack(load),
    forward: () => page.goForward(load),
    reload: () => page.reload(load),
    click: () => target().click(limit),
    hover: () => target().hover(limit),
    select: () => target().selectOption(args.values ?? [], limit),
    press: () => (args.ref ? target().press(args.key ?? '', limit) : page.keyboard.press(args.key ?? '')),
    async upload() {
      const paths = await Promise.all((args.fileIds ?? []).map((id) => files.path(id)));
      await target().setInputFiles(paths, limit);
    },
    wait: () =>
      page
        .getByText(args.text ?? '')
        .first()
        .waitFor(limit),
    async type() {
      await target().fill(args.text ?? '', limit);
      if (args.submit) await target().press('Enter', limit);
    },
    fillSecret: () => secrets.fill(target(), args.secret ?? '', limit),
    scroll: () =>
      args.ref
        ? target().scrollIntoViewIfNeeded(limit)
        : page.evaluate(scrollScreen, args.direction === 'up' ? -0.8 : 0.8),
  };
  const pending = new Set<unknown>();
  const began = (request: unknown) => pending.add(request);
  const ended = (request: unknown) => pending.delete(request);
  const shown = new Set([page]);
  const opened = (tab: typeof page) => shown.add(tab);
  page.on('request', began).on('requestfinished', ended).on('requestfailed', ended);
  context.on('page', opened);
  try {
    if (args.toFront) await page.bringToFront();
    // A reference never comes back, so there is nothing to wait for.
    if (
      args.ref &&
      (await target()
        .count()
        .catch(() => 0)) === 0
    )
      return 'REF_NOT_FOUND';
    await steps[args.action]();
    await sleep(100);
    const until = Date.now() + settleMs;
    while (pending.size > 0 && Date.now() < until) await sleep(50);
  } finally {
    page.off('request', began).off('requestfinished', ended).off('requestfailed', ended);
    context.off('page', opened);
  }
  for (const tab of shown) await tab.waitForLoadState('domcontentloaded', limit).catch(() => {});
  return undefined;
}
