/** Tabs in the words of requests and answers. */
import { z } from 'zod';
import { appearanceFields } from '../../browsers/record/field-schema.ts';
import { tabSchema } from '../../browsers/record/schema.ts';
import { visitFields, waitForSchema } from '../visit/schema.ts';

const address = z
  .union([
    z.url({ protocol: /^https?$/ }).max(16_384),
    z.literal('about:blank'),
    z
      .string()
      .regex(/^chrome-extension:\/\/[a-p]{32}\//)
      .max(16_384)
      .meta({ description: 'A page of an extension that the browser was created with.' }),
  ])
  .meta({ examples: ['https://example.com/'] });

const viewport = appearanceFields.viewport.unwrap();

/** How a navigation is waited for. */
const waiting = {
  waitFor: waitForSchema.default('load').meta({
    description:
      '`load` (default), `domcontentloaded`, `networkidle`, a CSS selector, or milliseconds after the page is parsed.',
  }),
  timeoutMs: visitFields.timeoutMs,
  partial: visitFields.partial,
};

export const openTabSchema = z
  .strictObject({
    url: address.optional(),
    active: z.boolean().default(true).meta({ description: 'false: it opens behind the tab in front.' }),
    viewport: viewport.optional().meta({ description: 'Of this tab alone. Default: that of the browser.' }),
    ...waiting,
  })
  .meta({ id: 'OpenTab' });

export const changeTabSchema = z
  .strictObject({
    url: address.optional(),
    go: z
      .enum(['back', 'forward', 'reload', 'stop'])
      .optional()
      .meta({ description: '`stop` ends the loading of the page and waits for nothing.' }),
    active: z.literal(true).optional().meta({ description: 'Brings it to the front.' }),
    viewport: viewport
      .nullable()
      .optional()
      .meta({ description: 'Of this tab alone; null: that of the browser again.' }),
    ...waiting,
  })
  .refine(({ url, go }) => url === undefined || go === undefined, {
    message: 'go to `url`, or `go` back, forward or again: not both',
  })
  .refine(
    ({ url, go, active, viewport: size }) => [url, go, active, size].some((each) => each !== undefined),
    { message: 'name what is to change: `url`, `go`, `active` or `viewport`' },
  )
  .meta({ id: 'ChangeTab' });

export const openTabViewSchema = z
  .strictObject({
    ...tabSchema.shape,
    active: z.boolean().meta({ description: 'The one in front.' }),
    crashed: z.boolean().meta({ description: 'Its page crashed; it goes on when it is sent somewhere.' }),
    crashReason: z.string().optional(),
    dialogOpen: z.boolean().meta({ description: 'Its page waits for an answer to a dialog.' }),
    viewport: z
      .strictObject({ width: z.int(), height: z.int(), deviceScaleFactor: z.number() })
      .optional()
      .meta({ description: 'Where it has one of its own.' }),
  })
  .meta({ id: 'BrowserTab' });

const navigationSchema = z.strictObject({
  finalUrl: z.string(),
  statusCode: z.int().nullable().meta({ description: 'Null where there is no HTTP answer.' }),
  contentType: z.string().nullable(),
  redirects: z.array(z.string()),
  timedOut: z.boolean().meta({ description: 'With `partial`: the time was up before the page was there.' }),
});

export const tabDetailSchema = z
  .strictObject({
    ...openTabViewSchema.shape,
    readyState: z.enum(['loading', 'interactive', 'complete', 'unknown']).meta({
      description: '`unknown`: the page is too busy to be asked, waits in a dialog, or has crashed.',
    }),
    canGoBack: z.boolean(),
    canGoForward: z.boolean(),
    navigation: navigationSchema
      .optional()
      .meta({ description: 'What became of the navigation that was asked for.' }),
  })
  .meta({ id: 'BrowserTabDetail' });

export const closedTabSchema = z
  .strictObject({ tabId: z.string(), closed: z.literal(true), tabsLeft: z.int() })
  .meta({ id: 'ClosedTab' });

export type OpenTab = z.output<typeof openTabSchema>;
export type ChangeTab = z.output<typeof changeTabSchema>;
export type OpenTabView = z.output<typeof openTabViewSchema>;
export type TabDetail = z.output<typeof tabDetailSchema>;
export type ClosedTab = z.output<typeof closedTabSchema>;
export type Navigation = z.output<typeof navigationSchema>;
