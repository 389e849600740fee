/** A call of browser code and its answer, as seen from outside. */
import { z } from 'zod';
import { capturedNetworkSchema, captureNetworkSchema } from '../../browsers/network/schema.ts';
import { browserStatus, tabSchema } from '../../browsers/record/schema.ts';
import { captchaStateSchema } from '../captcha/schema.ts';
import { pictureSchema } from '../capture/schema.ts';
import { checkLook, lookFields, seenFields } from '../observe/schema.ts';

const time = z.iso.datetime();
const maxCodeBytes = 262_144;

const observationSchema = z
  .strictObject({
    ...lookFields,
    includeOn: z.enum(['always', 'success', 'error', 'change']).default('always').meta({
      description:
        'change: only when it differs from the last observation of the tab that this API key has asked for.',
    }),
  })
  .superRefine(checkLook)
  .meta({ description: 'What the active tab shows after the call, as `POST …/observe` gives it.' });

const captureSchema = z.union([
  z.literal(false),
  z.strictObject({
    status: z.boolean().optional(),
    observation: observationSchema.optional(),
    screenshot: z
      .union([z.boolean(), pictureSchema])
      .optional()
      .meta({ description: 'A picture of the active tab after the call, as a file of the browser.' }),
    activity: z.boolean().optional().meta({
      description:
        'Navigations, tabs, dialogs and how they ended, downloads that began, console errors, failed and refused requests during the call.',
    }),
    network: captureNetworkSchema.optional().meta({
      description: 'The requests that pages of the browser began during the call, oldest first.',
    }),
    bundle: z.enum(['error', 'always']).optional().meta({
      description:
        'One ZIP file of the browser with all that explains the run: the code, its logs, its error, what happened meanwhile, its requests as a HAR, the page as an accessibility tree and as a picture, and the trace if there is one. error: only when the code fails.',
    }),
  }),
]);

const traceSchema = z
  .union([
    z.boolean(),
    z.strictObject({
      snapshots: z.boolean().default(true).meta({
        description: 'The page before and after each action, and its requests with what they answered.',
      }),
      screenshots: z.boolean().default(true).meta({ description: 'Pictures of the page as it changes.' }),
      sources: z.boolean().default(true).meta({ description: 'The code, beside what its lines did.' }),
    }),
  ])
  .meta({
    description:
      'Record a Playwright trace of the call, as a ZIP file of the browser: `npx playwright show-trace` opens it, and so does the dashboard. Values of secrets are masked in it, and credentials in headers and cookies. A call with a trace is slower.',
  });

/** The file, or why there is none. */
const keptSchema = z.strictObject({
  fileId: z.string().optional(),
  omitted: z.string().optional().meta({ description: 'Why there is no file.' }),
});

export const executeSchema = z
  .strictObject({
    code: z
      .string()
      .min(1)
      .refine((code) => Buffer.byteLength(code) <= maxCodeBytes, {
        message: `longer than ${maxCodeBytes} bytes of UTF-8`,
      })
      .meta({
        description:
          'The body of an async function, JavaScript or TypeScript, with Playwright’s `page`, `context` and `browser`, and `args`, `console`, `files`, `secrets` and `sleep` in scope. `return` gives the result.',
        examples: ["await page.goto('https://example.com'); return page.title()"],
      }),
    tabId: z.string().min(1).max(128).optional().meta({ description: 'Default: the active tab.' }),
    timeoutMs: z.int().min(1).max(120_000).default(30_000),
    args: z.unknown().optional().meta({ description: 'Any JSON value, in scope as `args`.' }),
    returnOnDialog: z.boolean().default(false).meta({
      description:
        'Answer as soon as a dialog of the tab, or of a tab that the code opened, waits for an answer over the API (`dialogs: manual`): the code is ended there, with the error `DIALOG_OPEN`, and what it has done to the page stays. Otherwise the code waits for the dialog.',
    }),
    maxResultChars: z.int().min(1).max(1_000_000).optional().meta({
      description:
        'Of a result whose JSON has more characters, `resultCut` has the beginning, and `result` is null: for callers that show it and need no more.',
    }),
    capture: captureSchema.optional(),
    trace: traceSchema.optional(),
  })
  .meta({ id: 'ExecuteScript' });

const errorFields = {
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).meta({ description: 'With the `requestId`.' }),
  category: z.string(),
  nextStep: z.string(),
};
const errorSchema = z.strictObject(errorFields);

const scriptErrorSchema = z
  .strictObject({
    ...errorFields,
    name: z.string(),
    stack: z.string().meta({ description: 'Line numbers are those of `code`.' }),
  })
  .meta({ id: 'ScriptError' });

const activitySchema = z
  .looseObject({
    at: time,
    type: z.enum([
      'navigation',
      'tab_opened',
      'tab_closed',
      'dialog',
      'download',
      'console_error',
      'request_failed',
      'policy_blocked',
    ]),
  })
  .meta({ id: 'Activity' });

export const executionSchema = z
  .strictObject({
    success: z.boolean(),
    result: z
      .unknown()
      .meta({ description: 'What the code returned; null when it returned nothing or failed.' }),
    resultCut: z
      .strictObject({
        json: z.string().meta({ description: 'The beginning of its JSON.' }),
        chars: z.int().meta({ description: 'How long all of it is.' }),
      })
      .optional()
      .meta({ description: 'In place of a result that is longer than `maxResultChars`.' }),
    error: scriptErrorSchema.optional(),
    logs: z.array(
      z.strictObject({
        level: z.enum(['log', 'info', 'warn', 'error', 'debug']),
        text: z.string(),
        at: time,
      }),
    ),
    page: tabSchema.nullable().meta({ description: 'The active tab after the call.' }),
    status: z
      .strictObject({
        status: browserStatus,
        readiness: z.enum(['loading', 'interactive', 'complete', 'unknown']),
        activeTab: tabSchema.nullable(),
        blocker: z.strictObject({ state: z.enum(['none', 'dialog', 'busy', 'crashed']) }),
        captcha: captchaStateSchema,
        dialogs: z.int().meta({ description: 'Dialogs open now.' }),
      })
      .optional(),
    observation: z
      .strictObject({
        ...seenFields,
        error: errorSchema.optional().meta({ description: 'Why there is no content.' }),
      })
      .optional(),
    screenshot: z.strictObject({ fileId: z.string() }).optional(),
    activity: z.array(activitySchema).optional(),
    network: capturedNetworkSchema.optional(),
    trace: keptSchema.optional(),
    bundle: keptSchema.optional(),
    durationMs: z.int(),
  })
  .meta({ id: 'ScriptExecution' });

export type ExecuteScript = z.output<typeof executeSchema>;
export type Execution = z.output<typeof executionSchema>;
export type ScriptError = z.output<typeof scriptErrorSchema>;
export type ObservationRequest = z.output<typeof observationSchema>;
export type Observation = NonNullable<Execution['observation']>;
export type Activity = z.output<typeof activitySchema>;
