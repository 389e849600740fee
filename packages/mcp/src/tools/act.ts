/** One step on a page, by the references of the last observation. */
import { z } from 'zod';
import {
  captureOf,
  executionAnswer,
  executionSchema,
  failure,
  failureOf,
  failureText,
} from '../answers/answers.ts';
import { type ActArgs, actions, needs, noSuchRef, act as perform } from './act-script.ts';
import { defineTool } from './tool.ts';
import { browserId, tabId, whichBrowser } from './which-browser.ts';

function checkArgs(args: ActArgs): void {
  const missing = needs[args.action].filter((name) => args[name] === undefined);
  if (missing.length > 0)
    throw failure('INVALID_ARGUMENT', `The action ${args.action} needs ${missing.join(' and ')}.`);
}

/** Longer than any wait inside the script. */
const scriptMs = 60_000;

export const act = defineTool({
  name: 'browser_act',
  title: 'Act on a page',
  description:
    'One step on the page: navigate to url; back; forward; reload; click, hover ref; type text into ref (replaces what is there; submit presses Enter); select values in ref; press key (on ref, or on what has the focus); scroll up or down, or ref into view; upload fileIds to ref; wait for text to appear; fillSecret types the secret of that name into ref, unseen. ref is [ref=…] of an aria observation. Answers with what has changed on the page: new lines (+), gone (-), different (~), moved (>).',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    browserId,
    tabId,
    action: z.enum(actions),
    ref: z
      .string()
      .regex(/^[a-z0-9]{1,32}$/, 'such as e12 or f1e12')
      .optional()
      .describe('Such as e12.'),
    url: z.string().max(8192).optional(),
    text: z.string().max(100_000).optional(),
    submit: z.boolean().optional().describe('After type: press Enter.'),
    values: z.array(z.string().max(1000)).max(100).optional().describe('Values or labels of options.'),
    key: z.string().max(64).optional().describe('Such as Enter, Escape, ArrowDown, Control+A.'),
    direction: z.enum(['up', 'down']).optional(),
    fileIds: z.array(z.string().max(128)).max(20).optional().describe('From browser_files.'),
    secret: z.string().max(128).optional().describe('For fillSecret: its name, such as github/password.'),
    show: z.enum(['diff', 'full']).default('diff').describe('What has changed on the page, or all.'),
    maxChars: z.int().min(100).max(50_000).default(8000).describe('Of the page afterwards.'),
  }),
  output: executionSchema,
  async run({ browserId: id, tabId: tab, maxChars, show, ...args }, call) {
    checkArgs(args);
    const browser = await whichBrowser(id, call);
    const wanted = { kind: 'aria' as const, as: show, maxChars };
    const execution = await browser.run(perform, {
      args: { ...args, toFront: tab !== undefined },
      tabId: tab,
      timeoutMs: scriptMs,
      returnOnDialog: true,
      maxResultChars: maxChars,
      capture: captureOf(wanted, true),
      signal: call.signal,
    });
    if (execution.result !== noSuchRef) return executionAnswer(browser.id, execution, { wanted, maxChars });
    const { text, data } = executionAnswer(browser.id, { ...execution, result: null }, { wanted, maxChars });
    const why = `Nothing on the page has the reference ${args.ref} now: no observation gave it, or what had it is gone.`;
    return {
      failed: true,
      data,
      text: `${failureText(failureOf(failure('REF_NOT_FOUND', why, 'observe')))}\n${text}`,
    };
  },
});
