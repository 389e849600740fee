/** What callers do with the tabs of a living browser without a script or a client. */
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { decodeCursor, encodeCursor } from '../../kit/cursor.ts';
import { firstPage, type ListPage, type PageQuery } from '../../kit/page-of-list.ts';
import { dialogOpen, noTab, readinessOf, tabOf, targetOf, useBrowser } from '../reach/reach.ts';
import { watchCall } from '../script/script.ts';
import { type Move, type Visit, visit } from '../visit/visit.ts';
import type { ChangeTab, ClosedTab, Navigation, OpenTab, OpenTabView, TabDetail } from './schema.ts';

export interface TabCallsParts {
  browsers: Pick<BrowsersOnNode, 'use' | 'status'>;
}

type Owner = [projectId: string, id: string];
type Going = Pick<ChangeTab, 'url' | 'waitFor' | 'timeoutMs' | 'partial'> & { move?: Move };

const closeMs = 5000;
const historyMs = 2000;

export class TabCalls {
  readonly #parts: TabCallsParts;

  constructor(parts: TabCallsParts) {
    this.#parts = parts;
  }

  /** In the order in which they were opened. */
  async list(projectId: string, id: string, { cursor, limit }: PageQuery): Promise<ListPage<OpenTabView>> {
    const tabs = await this.#all(projectId, id);
    // A tab has no time of its own: its place in the list stands for it.
    const from = cursor === undefined ? 0 : Math.max(decodeCursor(cursor).createdAt, 0);
    const placed = tabs.map((tab, place) => ({ tab, place })).slice(from);
    return firstPage(
      placed,
      limit,
      ({ place, tab }) => encodeCursor({ createdAt: place + 1, id: tab.tabId }),
      ({ tab }) => tab,
    );
  }

  /** Of one that is stopped, as they were saved. */
  async #all(projectId: string, id: string): Promise<OpenTabView[]> {
    try {
      const running = await this.#parts.browsers.use(projectId, id);
      return running.live.tabs.list().map(({ tabId }) => viewOf(running, tabId));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'BROWSER_NOT_READY')) throw error;
      const { tabs, activeTab } = await this.#parts.browsers.status(projectId, id);
      return tabs.map((tab) => ({
        ...tab,
        active: tab.tabId === activeTab?.tabId,
        crashed: false,
        dialogOpen: false,
      }));
    }
  }

  /** Also of a browser that is stopped, whose tabs keep their ids. */
  async refuseUnknown(projectId: string, id: string, tabId: string): Promise<void> {
    const tabs = await this.#all(projectId, id);
    if (!tabs.some((tab) => tab.tabId === tabId))
      throw noTab(tabId, `There is no tab ${tabId} in this browser; \`GET …/tabs\` lists them.`);
  }

  get(projectId: string, id: string, tabId: string, gone: AbortSignal): Promise<TabDetail> {
    const look = async (running: Running) => detailOf(running, await tabOf(running, tabId));
    return useBrowser(this.#parts.browsers, [projectId, id], gone, look, { onlyLooks: true });
  }

  open(projectId: string, id: string, asked: OpenTab, gone: AbortSignal): Promise<TabDetail> {
    return this.#use([projectId, id], gone, async (running, signal) => {
      const { tabs } = running.live;
      const front = tabs.active?.tabId;
      const tabId = await tabs.open();
      try {
        if (asked.viewport) await tabs.resize(tabId, asked.viewport);
        // Unless another call has brought a tab to the front since this one opened: the later of the two wins.
        if (tabs.active?.tabId === tabId) await tabs.activate(asked.active ? tabId : (front ?? tabId));
        const navigation = asked.url && (await go(running, tabId, asked, signal));
        return { ...(await detailOf(running, tabId)), ...(navigation && { navigation }) };
      } catch (error) {
        // A caller that is told of an error has no tab to see to.
        await close(running, tabId).catch(() => undefined);
        throw error;
      }
    });
  }

  change(
    projectId: string,
    id: string,
    tabId: string,
    asked: ChangeTab,
    gone: AbortSignal,
  ): Promise<TabDetail> {
    return this.#use([projectId, id], gone, async (running, signal) => {
      await tabOf(running, tabId);
      if (asked.viewport !== undefined) await running.live.tabs.resize(tabId, asked.viewport);
      if (asked.active) await running.live.tabs.activate(tabId);
      const navigation = await moved(running, tabId, asked, signal);
      return { ...(await detailOf(running, tabId)), ...(navigation && { navigation }) };
    });
  }

  close(projectId: string, id: string, tabId: string, gone: AbortSignal): Promise<ClosedTab> {
    return this.#use([projectId, id], gone, async (running) => {
      await close(running, await tabOf(running, tabId));
      return { tabId, closed: true, tabsLeft: running.live.tabs.list().length };
    });
  }

  #use<T>(
    owner: Owner,
    gone: AbortSignal,
    work: (running: Running, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return useBrowser(this.#parts.browsers, owner, gone, work);
  }
}

async function moved(
  running: Running,
  tabId: string,
  { url, go: move, ...how }: ChangeTab,
  signal: AbortSignal,
): Promise<Navigation | undefined> {
  if (move === 'stop') {
    const { cdp, sessionId } = await targetOf(running, tabId);
    await cdp.send('Page.stopLoading', undefined, { sessionId });
    return undefined;
  }
  return url === undefined && move === undefined
    ? undefined
    : go(running, tabId, { ...how, url, move }, signal);
}

async function go(running: Running, tabId: string, going: Going, signal: AbortSignal): Promise<Navigation> {
  const { dialogs, tabs } = running.live;
  const refuseDialog = (): void => {
    if (dialogs.holds(tabs.sessionOf(tabId) ?? '')) throw dialogOpen();
  };
  refuseDialog();
  refuseForeignExtension(going.url, running.live.extensionIds);
  using seen = stoppable(watchCall(running));
  try {
    const visited = await visit(await targetOf(running, tabId), going, { signal, troubles: seen });
    return navigationOf(
      visited,
      going.move ? tabs.list().find((tab) => tab.tabId === tabId)?.url : undefined,
    );
  } catch (error) {
    if (!tabs.targetOf(tabId)) throw noTab(tabId, `The tab ${tabId} was closed while it went there.`);
    refuseDialog();
    throw error;
  }
}

/** Chromium has extensions of its own, whose pages stay closed. */
function refuseForeignExtension(url: string | undefined, extensionIds: ReadonlySet<string>): void {
  const id = url && /^chrome-extension:\/\/([^/]+)/.exec(url)?.[1];
  if (!id || extensionIds.has(id)) return;
  const reason = `the browser has no extension ${id}; \`chromiumId\` of an extension that it was created with goes here`;
  throw new ApiError('VALIDATION_FAILED', `The request is not valid: \`url\`: ${reason}.`, {
    details: { issues: [{ path: 'url', reason }] },
  });
}

const stoppable = <T extends { stop(): void }>(watch: T): T & Disposable =>
  Object.assign(watch, { [Symbol.dispose]: () => watch.stop() });

/** Of a move through the history Chromium may have loaded nothing: the address is the tab's. */
const navigationOf = (visited: Visit, address: string | undefined): Navigation => ({
  finalUrl: address ?? visited.finalUrl,
  statusCode: visited.statusCode,
  contentType: visited.contentType,
  redirects: visited.redirects,
  timedOut: visited.timedOut,
});

/** Resolves when it is gone. */
async function close(running: Running, tabId: string): Promise<void> {
  const { tabs, chromium } = running.live;
  const targetId = tabs.targetOf(tabId);
  if (targetId === undefined) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const unwatch = running.live.watch({ closed: (tab) => tab.tabId === tabId && resolve() });
  const late = setTimeout(() => {
    reject(new ApiError('BROWSER_UNRESPONSIVE', `The tab ${tabId} did not close. Try again.`));
  }, closeMs);
  try {
    await chromium.cdp.send('Target.closeTarget', { targetId });
    if (tabs.targetOf(tabId)) await promise;
  } catch (error) {
    // Another caller was sooner.
    if (tabs.targetOf(tabId)) throw error;
  } finally {
    clearTimeout(late);
    unwatch();
  }
}

function viewOf({ live }: Running, tabId: string): OpenTabView {
  const { tabs, dialogs } = live;
  const tab = tabs.list().find((each) => each.tabId === tabId);
  if (!tab) throw noTab(tabId, `The tab ${tabId.slice(0, 64)} has just been closed.`);
  const crashed = tabs.hasCrashed(tabId);
  const crashReason = crashed ? tabs.crashReason(tabId) : undefined;
  const viewport = tabs.viewportOf(tabId);
  return {
    ...tab,
    active: tabs.active?.tabId === tabId,
    crashed,
    ...(crashReason && { crashReason }),
    dialogOpen: dialogs.holds(tabs.sessionOf(tabId) ?? ''),
    ...(viewport && { viewport }),
  };
}

async function detailOf(running: Running, tabId: string): Promise<TabDetail> {
  const { cdp, sessionId, blocker } = await targetOf(running, tabId);
  const [history, readyState] = await Promise.all([
    cdp
      .send('Page.getNavigationHistory', undefined, { sessionId, timeoutMs: historyMs })
      .catch(() => ({ currentIndex: 0, entries: [] })),
    // A page that is held answers nothing, and is not waited for.
    blocker() ? ('unknown' as const) : readinessOf(running, tabId),
    running.live.tabs.refresh().catch(() => undefined),
  ]);
  return {
    ...viewOf(running, tabId),
    readyState,
    canGoBack: history.currentIndex > 0,
    canGoForward: history.currentIndex < history.entries.length - 1,
  };
}
