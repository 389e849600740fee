/** The tabs of a browser as resources. */
import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import type { TabCalls } from '../../page/page.ts';
import {
  changeTabSchema,
  closedTabSchema,
  type OpenTabView,
  openTabSchema,
  openTabViewSchema,
  type TabDetail,
  tabDetailSchema,
} from '../../page/tabs/schema.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import type { Once } from '../gate/gate.ts';
import { type App, hangUp } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const example: OpenTabView = {
  tabId: 'B00BFB574DD3698D85C5B7C996E1D6C4',
  url: 'https://example.com/',
  title: 'Example Domain',
  active: true,
  crashed: false,
  dialogOpen: false,
};
const detail: TabDetail = { ...example, readyState: 'complete', canGoBack: true, canGoForward: false };
const arrived: TabDetail = {
  ...detail,
  navigation: {
    finalUrl: example.url,
    statusCode: 200,
    contentType: 'text/html',
    redirects: [],
    timedOut: false,
  },
};

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const tabParams = params.extend({ tabId: z.string().meta({ examples: [example.tabId] }) });
const found: ErrorCode[] = ['BROWSER_NOT_FOUND', 'TAB_NOT_FOUND', 'BROWSER_NOT_READY'];
const living: ErrorCode[] = [
  ...found,
  'BROWSER_CRASHED',
  'BROWSER_UNRESPONSIVE',
  'PAGE_CRASHED',
  'SERVICE_SHUTTING_DOWN',
];
const navigating: ErrorCode[] = [
  ...bodyCodes,
  ...living,
  'DIALOG_OPEN',
  'NAVIGATION_FAILED',
  'POLICY_BLOCKED',
  'PROXY_UNREACHABLE',
  'PROXY_AUTH_FAILED',
  'QUICK_ACTION_TIMEOUT',
];
const onceCodes: ErrorCode[] = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE'];

export function tabRoutes(
  app: App,
  { tabs, once }: { tabs: Pick<TabCalls, 'list' | 'get' | 'open' | 'change' | 'close'>; once: Once },
): void {
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/tabs',
    config: { examples: { response: { items: [example], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'TabController_list',
      summary: 'List tabs',
      description:
        'The tabs of the browser in the order in which they were opened, without disturbing a page; it is no action. A stopped browser answers from its saved state.',
      tags: ['Tabs'],
      params,
      querystring: z.strictObject(pageQuery),
      response: answers(
        { 200: { description: 'A page of tabs.', schema: pageOf(openTabViewSchema, 'TabPage') } },
        ['INVALID_CURSOR', ...found],
      ),
    },
    handler: async ({ principal, params: { id }, query }) => tabs.list(principal.projectId, id, query),
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/tabs/:tabId',
    config: { examples: { response: detail } },
    schema: {
      operationId: 'TabController_get',
      summary: 'Look at a tab',
      description: 'One tab, how far its page is, and whether its history goes on. It is no action.',
      tags: ['Tabs'],
      params: tabParams,
      response: answers({ 200: { description: 'The tab.', schema: tabDetailSchema } }, living),
    },
    handler: async ({ principal, params: { id, tabId } }, reply) =>
      tabs.get(principal.projectId, id, tabId, hangUp(reply.raw)),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/tabs',
    config: {
      idempotency: 'optional',
      bodyOptional: true,
      examples: { request: { url: example.url }, response: arrived },
    },
    schema: {
      operationId: 'TabController_open',
      summary: 'Open a tab',
      description:
        'A new tab, in front unless `active` is false. With `url` it answers when the page is there, as `waitFor` says; when the page cannot be had the tab is closed again. Runs beside scripts, not in their turn.',
      tags: ['Tabs'],
      params,
      body: openTabSchema,
      response: answers({ 201: { description: 'The tab.', schema: tabDetailSchema } }, [
        ...navigating,
        'TOO_MANY_TABS',
        ...onceCodes,
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => {
        const { principal, params: own, body } = request;
        const tab = await tabs.open(principal.projectId, own.id, body, hangUp(reply.raw));
        return { statusCode: 201, body: tab };
      }),
  });

  app.route({
    method: 'PATCH',
    url: '/v1/browsers/:id/tabs/:tabId',
    config: { examples: { request: { go: 'back' }, response: arrived } },
    schema: {
      operationId: 'TabController_change',
      summary: 'Change a tab',
      description:
        'Sends it to `url`, or back, forward or again (`go`), brings it to the front, gives it a viewport of its own. A navigation answers when the page is there, as `waitFor` says. Runs beside scripts, not in their turn.',
      tags: ['Tabs'],
      params: tabParams,
      body: changeTabSchema,
      response: answers({ 200: { description: 'The tab.', schema: tabDetailSchema } }, navigating),
    },
    handler: async ({ principal, params: { id, tabId }, body }, reply) =>
      tabs.change(principal.projectId, id, tabId, body, hangUp(reply.raw)),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/browsers/:id/tabs/:tabId',
    config: {
      idempotency: 'optional',
      examples: { response: { tabId: example.tabId, closed: true, tabsLeft: 1 } },
    },
    schema: {
      operationId: 'TabController_close',
      summary: 'Close a tab',
      description:
        'Its page is not asked whether it wants to be left. A browser without tabs stays: the next call that needs a tab gets a new one.',
      tags: ['Tabs'],
      params: tabParams,
      response: answers({ 200: { description: 'It is gone.', schema: closedTabSchema } }, [
        ...living,
        ...onceCodes,
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => {
        const { principal, params: own } = request;
        const closed = await tabs.close(principal.projectId, own.id, own.tabId, hangUp(reply.raw));
        return { statusCode: 200, body: closed };
      }),
  });
}
