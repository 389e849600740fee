/** Playwright code, for what single steps cannot do. */
import { z } from 'zod';
import { captureOf, executionAnswer, executionSchema } from '../answers/answers.ts';
import { defineTool } from './tool.ts';
import { browserId, tabId, whichBrowser } from './which-browser.ts';

export const run = defineTool({
  name: 'browser_run',
  title: 'Run Playwright code',
  description:
    'Runs JavaScript or TypeScript, the body of an async function, with Playwright’s page, context and browser, and args, console, files, secrets and sleep in scope; `return` gives the result. For several steps at once, for extracting data, and for what browser_act cannot do. Elements of aria observations: page.locator("aria-ref=e12"). Files: await files.path(fileId) for setInputFiles, await files.write(name, data) keeps large output. Answers with the result, the logs, and what has changed on the page.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    browserId,
    tabId,
    code: z
      .string()
      .min(1)
      .max(262_144)
      .describe("Such as: await page.goto('https://example.com'); return page.title()"),
    args: z.unknown().optional().describe('Any JSON value, in scope as args.'),
    timeoutMs: z.int().min(1).max(120_000).default(30_000),
    observe: z
      .enum(['aria', 'text', 'markdown', 'none'])
      .default('aria')
      .describe('What to show of the page afterwards, if it changed; of aria, what has changed.'),
    maxChars: z.int().min(100).max(50_000).default(8000).describe('For the result and for the page, each.'),
  }),
  output: executionSchema,
  async run({ browserId: id, observe, maxChars, ...script }, call) {
    const browser = await whichBrowser(id, call);
    const wanted =
      observe === 'none'
        ? undefined
        : { kind: observe, maxChars, ...(observe === 'aria' && { as: 'diff' as const }) };
    const { code, ...options } = script;
    const capture = wanted ? captureOf(wanted, true) : { status: true, activity: true };
    const execution = await browser.run(code, {
      ...options,
      returnOnDialog: true,
      maxResultChars: maxChars,
      capture,
      signal: call.signal,
    });
    return executionAnswer(browser.id, execution, { wanted, maxChars });
  },
});
