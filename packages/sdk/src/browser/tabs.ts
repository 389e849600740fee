/** The tabs of a browser: listed, opened, sent somewhere, sized, closed. */
import type { BrowserTab, BrowserTabDetail, ClosedTab } from '../generated/schemas.ts';
import {
  type Body,
  type CallOptions,
  type Listing,
  listing,
  type OnceOptions,
  type Query,
  type WorkOptions,
} from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

type TabChange = Body<'TabController_change'>;

/** The service's own limit for a navigation, where the caller sets none. */
const navigationMs = 30_000;

export class Tabs extends BrowserResource {
  /** In the order in which they were opened. */
  list(
    filter: Omit<Query<'TabController_list'>, 'cursor'> = {},
    options: CallOptions = {},
  ): Listing<BrowserTab> {
    return listing(this.api, 'TabController_list', { path: this.path, query: filter }, options);
  }

  get(tabId: string, options: CallOptions = {}): Promise<BrowserTabDetail> {
    return this.api.json('TabController_get', { path: { ...this.path, tabId } }, options);
  }

  /** With `url`, resolves when the page is there. */
  open(tab: Body<'TabController_open'> = {}, options: OnceOptions = {}): Promise<BrowserTabDetail> {
    const call = { path: this.path, body: tab, takesMs: tab.timeoutMs ?? navigationMs };
    return this.api.json('TabController_open', call, options);
  }

  /** Sends it somewhere, brings it to the front, or gives it a viewport of its own. */
  change(tabId: string, { signal, ...body }: TabChange & WorkOptions): Promise<BrowserTabDetail> {
    const call = { path: { ...this.path, tabId }, body, takesMs: body.timeoutMs ?? navigationMs };
    return this.api.json('TabController_change', call, { signal });
  }

  /** Resolves when the page is there. */
  goto(
    tabId: string,
    url: string,
    how: Pick<TabChange, 'waitFor' | 'timeoutMs' | 'partial'> & WorkOptions = {},
  ): Promise<BrowserTabDetail> {
    return this.change(tabId, { ...how, url });
  }

  close(tabId: string, options: OnceOptions = {}): Promise<ClosedTab> {
    return this.api.json('TabController_close', { path: { ...this.path, tabId } }, options);
  }
}
