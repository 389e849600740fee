/** The content of a page of a living browser. */
import { z } from 'zod';
import type { TabScrapes } from '../../page/page.ts';
import { scrapedTabSchema, scrapeTabSchema } from '../../page/read/schema.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { type App, hangUp } from '../wire/wire.ts';

interface ScrapeParts {
  scrapes: Pick<TabScrapes, 'scrape'>;
  /** Of a page that is sent along. */
  bodyLimit: number;
}

export function scrapeRoutes(app: App, { scrapes, bodyLimit }: ScrapeParts): void {
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/scrape',
    bodyLimit,
    config: { examples: { request: { format: 'markdown', include: ['links'] } } },
    schema: {
      operationId: 'ScrapeController_scrapeTab',
      summary: 'Scrape a tab',
      description:
        'The content of the page a tab shows as Markdown, HTML, text or JSON, without what stands around it. With `url` or `html` the tab goes there first and stays there. Runs beside scripts, not in their turn.',
      tags: ['Scraping'],
      params: z.object({ id: z.string() }),
      body: scrapeTabSchema,
      response: answers({ 200: { description: 'What the page holds.', schema: scrapedTabSchema } }, [
        ...bodyCodes,
        'BROWSER_NOT_FOUND',
        'TAB_NOT_FOUND',
        'BROWSER_NOT_READY',
        'DIALOG_OPEN',
        'SELECTOR_NOT_FOUND',
        'NAVIGATION_FAILED',
        'POLICY_BLOCKED',
        'PROXY_UNREACHABLE',
        'PROXY_AUTH_FAILED',
        'PAGE_CRASHED',
        'BROWSER_CRASHED',
        'QUICK_ACTION_TIMEOUT',
        'BROWSER_UNRESPONSIVE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) =>
      scrapes.scrape(request.principal.projectId, request.params.id, request.body, hangUp(reply.raw)),
  });
}
