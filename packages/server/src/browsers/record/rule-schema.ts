/** What a caller wants done with requests of pages, from outside: which ones, and what. */
import { z } from 'zod';
import { masked } from '../../kit/mask-headers.ts';

export const mostRules = 200;
const longestBody = 262_144;

const headerName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'not a header name')
  .max(128);
const headerValue = z
  .string()
  .max(8192)
  .regex(/^[^\r\n\0]*$/, 'one line only')
  .refine((value) => value !== masked, {
    message: `${masked} stands for a value that is not shown: send the value itself`,
  });
const headers = z.record(headerName, headerValue);

export const requestTypes = [
  'document',
  'stylesheet',
  'script',
  'image',
  'font',
  'media',
  'fetch',
  'ping',
  'other',
] as const;

const failures = [
  'failed',
  'aborted',
  'timedOut',
  'accessDenied',
  'connectionClosed',
  'connectionReset',
  'connectionRefused',
  'connectionFailed',
  'nameNotResolved',
  'internetDisconnected',
  'addressUnreachable',
] as const;

const matchSchema = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .meta({
        description:
          'The whole address; `*` stands for any characters, everything else for itself. Without its fragment.',
        examples: ['https://example.com/api/*'],
      }),
    host: z
      .string()
      .min(1)
      .max(260)
      .optional()
      .meta({ description: 'A host and its subdomains.', examples: ['ads.example.com'] }),
    type: z.enum(requestTypes).optional().meta({
      description:
        'What the page wants it for. `document`: pages and frames; `fetch`: fetch, XMLHttpRequest and EventSource.',
    }),
    method: z
      .string()
      .regex(/^[A-Za-z]{1,32}$/, 'not an HTTP method')
      .optional(),
    thirdParty: z.boolean().optional().meta({
      description: 'Whether it goes to another site than that of the document which asks.',
    }),
  })
  .meta({ id: 'RuleMatch', description: 'All of what is named must fit; nothing named: every request.' });

const actionSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('allow') }).meta({
    description: 'It goes on as it is. No later rule and no list is asked.',
  }),
  z.strictObject({ action: z.literal('block') }).meta({ description: 'It fails as blocked by the client.' }),
  z
    .strictObject({ action: z.literal('fail'), error: z.enum(failures) })
    .meta({ description: 'It fails as if the network had.' }),
  z
    .strictObject({
      action: z.literal('respond'),
      status: z.int().min(200).max(599).optional().meta({ description: '200 unless given.' }),
      headers: headers.optional(),
      body: z.string().max(longestBody).optional(),
      fileId: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: 'A file of this browser, instead of `body`.' }),
    })
    .meta({ description: 'This is the answer; nothing goes over the network.' }),
  z
    .strictObject({
      action: z.literal('headers'),
      set: headers.optional(),
      remove: z.array(headerName).max(50).optional(),
    })
    .meta({ description: 'It is sent with other headers. Later rules are asked, too.' }),
  z
    .strictObject({ action: z.literal('delay'), ms: z.int().min(1).max(60_000) })
    .meta({ description: 'It is held back. Later rules are asked, too.' }),
  z
    .strictObject({ action: z.literal('redirect'), url: z.url({ protocol: /^https?$/ }).max(8192) })
    .meta({ description: 'The page is sent there (307).' }),
]);

export const ruleSchema = z
  .strictObject({ match: matchSchema, do: actionSchema })
  .meta({ id: 'RequestRule' });

export const ruleHitsSchema = z
  .strictObject({
    rules: z
      .array(z.int())
      .meta({ description: 'How often each rule of the policy was applied, in their order.' }),
    lists: z
      .record(z.string(), z.int())
      .optional()
      .meta({ description: 'How many requests each list of the policy blocked.' }),
  })
  .meta({ id: 'RuleHits' });

export const consentCountsSchema = z
  .strictObject({
    declined: z.int().meta({ description: 'Banners that were declined, or hidden.' }),
    failed: z.int().meta({ description: 'Banners that were recognised and could not be declined.' }),
  })
  .meta({ id: 'ConsentCounts' });

export type RequestRule = z.output<typeof ruleSchema>;
export type RuleAction = RequestRule['do'];
export type RequestType = (typeof requestTypes)[number];
export type RuleHits = z.output<typeof ruleHitsSchema>;
