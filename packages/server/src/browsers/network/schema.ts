/** A request of a page as the API shows it, and what may be asked of the log and of a HAR. */
import { z } from 'zod';

const time = z.iso.datetime().meta({ description: 'ISO-8601, UTC, milliseconds' });
const bytes = z.int().min(0);

export const resourceTypes = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'texttrack',
  'xhr',
  'fetch',
  'prefetch',
  'eventsource',
  'websocket',
  'manifest',
  'signedexchange',
  'ping',
  'cspviolationreport',
  'preflight',
  'other',
] as const;

export const failureKinds = [
  'policy',
  'cors',
  'tls',
  'dns',
  'proxy',
  'blocked',
  'cancelled',
  'network',
] as const;

const timingSchema = z
  .strictObject({
    blocked: z.number(),
    connect: z.number(),
    tls: z.number(),
    send: z.number(),
    wait: z.number(),
    receive: z.number(),
  })
  .meta({
    description:
      'Milliseconds; -1 where a part does not apply. Names are resolved and sites dialled by the exit of the browser: `connect` is the tunnel through it.',
  });

const fields = {
  id: z.string().meta({ examples: ['request_01ja9q4m8h2f7t3k5w6x8y0z1a'] }),
  tabId: z.string(),
  from: z.enum(['page', 'frame', 'worker', 'service_worker']).meta({
    description:
      'What made it. `frame`: one in a process of its own; other frames are not told from their page.',
  }),
  method: z.string(),
  url: z
    .string()
    .meta({ description: 'Cut at 4,096 characters; values that look like tokens are shown as `***`.' }),
  type: z.enum(resourceTypes),
  state: z.enum(['pending', 'finished', 'failed']),
  status: z.int().optional().meta({ description: 'Of the HTTP answer; absent while there is none.' }),
  statusText: z.string().optional(),
  mimeType: z.string().optional(),
  protocol: z
    .string()
    .optional()
    .meta({ examples: ['http/1.1', 'h2'] }),
  startedAt: time,
  durationMs: z.number().optional().meta({ description: 'Until its end; absent while it is pending.' }),
  timing: timingSchema.optional(),
  fromCache: z.boolean(),
  fromServiceWorker: z.boolean(),
  initiator: z
    .strictObject({ type: z.string(), url: z.string().optional(), line: z.int().optional() })
    .optional(),
  remoteAddress: z.string().optional().meta({
    description: 'Which address the exit dialled for the place: the site, or the proxy of the browser.',
  }),
  proxy: z.string().optional().meta({ description: 'The proxy of the browser that it went through.' }),
  vouched: z.literal(true).optional().meta({
    description:
      'The exit spoke TLS with the site itself, because of `tls.trust` or `clientCertificates`: times and protocol of TLS are those between Chromium and the exit.',
  }),
  rule: z
    .string()
    .optional()
    .meta({ description: 'The rule of the policy that decided.', examples: ['blocked_domain'] }),
  failure: z
    .strictObject({
      kind: z.enum(failureKinds),
      error: z.string().meta({ examples: ['net::ERR_CONNECTION_REFUSED'] }),
      detail: z.string().optional().meta({
        description: 'Chromium’s own word for what CORS, a policy of the page and the like missed.',
      }),
    })
    .optional(),
  wireBytes: bytes.meta({ description: 'Received for it, headers included, as far as Chromium has said.' }),
  bodyBytes: bytes.meta({ description: 'Of the body, decompressed.' }),
  redirectedTo: z.string().optional().meta({ description: 'The request that followed.' }),
  webSocket: z
    .strictObject({
      framesSent: z.int(),
      framesReceived: z.int(),
      bytesSent: bytes,
      bytesReceived: bytes,
    })
    .optional()
    .meta({ description: 'Frames so far; bytes are those of their content, about.' }),
};

export const networkRequestSchema = z.strictObject(fields).meta({ id: 'NetworkRequest' });

const headers = z.array(z.strictObject({ name: z.string(), value: z.string() }));

export const networkDetailSchema = z
  .strictObject({
    ...fields,
    requestHeaders: headers.meta({
      description: 'As sent. Values that carry credentials are shown as `•••`.',
    }),
    responseHeaders: headers,
    hasRequestBody: z.boolean(),
    headersCut: z
      .boolean()
      .optional()
      .meta({ description: 'There were more headers, or longer ones, than are kept.' }),
  })
  .meta({ id: 'NetworkRequestDetail' });

const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean().default(false),
);
const list = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.flatMap(list) : value;

export const networkFilters = {
  tabId: z.string().min(1).max(128).optional(),
  type: z
    .preprocess(list, z.array(z.enum(resourceTypes)).optional())
    .meta({ description: 'Only these; repeated or separated by commas.' }),
  status: z
    .string()
    .regex(/^([1-5]xx|[1-5]\d\d)$/, 'a class such as 4xx, or a status such as 404')
    .optional()
    .meta({ description: 'A class such as `4xx`, or a status such as `404`.' }),
  host: z
    .string()
    .min(1)
    .max(253)
    .optional()
    .meta({ description: 'The host of the address, or one above it.' }),
  failed: flag.meta({ description: 'Only those that failed, or were answered with 400 or above.' }),
  since: time.optional().meta({ description: 'Only those that began then or later.' }),
};

export const revealField = flag.meta({
  description:
    'Show what is hidden otherwise: credentials in headers, tokens in addresses. Admin keys only; an event `network.revealed` says so. Values of secrets stay masked.',
});

export const createHarSchema = z
  .strictObject({
    tabId: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'Default: all tabs, also closed ones that are still in the log.' }),
    since: time.optional(),
    bodies: z.enum(['none', 'text', 'all']).default('none').meta({
      description:
        'Bodies of answers that Chromium still has (of documents that are still open), and bodies of requests.',
    }),
    maxBytes: z
      .int()
      .min(1024)
      .max(32 * 1024 ** 2)
      .default(8 * 1024 ** 2)
      .meta({
        description: 'Of the whole HAR: bodies that do not fit are left out, then the oldest entries.',
      }),
    reveal: z.boolean().default(false).meta({
      description:
        'With credentials and tokens. Admin keys only; an event `network.revealed` says so. Values of secrets stay masked.',
    }),
  })
  .meta({ id: 'CreateHar' });

/** In the answer of a call: what happened on the network during it. */
export const captureNetworkSchema = z.union([
  z.boolean(),
  z.strictObject({
    failedOnly: z.boolean().default(false),
    max: z.int().min(1).max(500).default(100),
  }),
]);

export const capturedNetworkSchema = z
  .strictObject({
    requests: z.array(networkRequestSchema),
    total: z.int().meta({ description: 'That fitted; `requests` holds the last of them.' }),
    dropped: z.int().meta({ description: 'Made so fast that they were only counted.' }),
  })
  .meta({ id: 'CapturedNetwork' });

export type NetworkRequest = z.output<typeof networkRequestSchema>;
export type NetworkRequestDetail = z.output<typeof networkDetailSchema>;
export type CreateHar = z.output<typeof createHarSchema>;
export type CaptureNetwork = z.output<typeof captureNetworkSchema>;
export type CapturedNetwork = z.output<typeof capturedNetworkSchema>;
