/** A person takes over for what a model cannot or must not do. */
import type { Browser } from '@browserd/sdk';
import { z } from 'zod';
import { failure, word } from '../answers/answers.ts';
import { defineTool, type ToolCall } from './tool.ts';
import { browserId, whichBrowser } from './which-browser.ts';

/** Waits until a person hands back, the time is up, or the service stops. Cancelling the call does not end the handoff. */
async function handedBack(browser: Browser, seconds: number, call: ToolCall): Promise<boolean> {
  const { signal, stopping } = call;
  // A timer with a reference of its own: Node 20 collects a timeout signal that only another signal refers to.
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), seconds * 1000);
  try {
    await browser.handoff.finished({ signal: AbortSignal.any([signal, timeUp.signal, stopping]) });
    return true;
  } catch (error) {
    if (!signal.aborted && (timeUp.signal.aborted || stopping.aborted)) return false;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The service gives addresses that begin with the address of the call, which may be reachable from here only. */
const forPeople = (url: string | undefined, { client, publicUrl }: ToolCall): string | undefined =>
  url?.startsWith(`${client.baseUrl}/`) ? publicUrl + url.slice(client.baseUrl.length) : url;

export const waitForHuman = defineTool({
  name: 'browser_wait_for_human',
  title: 'Ask a person for help',
  description:
    'For what you cannot or must not do yourself: signing in, captchas, payments, consent. With message it asks a person to take over, and gives an address: show it to the person you work for. It then waits until the browser is handed back. When the time is up first, call again without message to go on waiting. With waitSeconds 0 it only asks.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    browserId,
    message: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('What the person is to do, in one or two sentences.'),
    waitSeconds: z.int().min(0).max(600).default(45),
  }),
  output: z.object({
    browserId: word,
    handedBack: z.boolean(),
    state: word.describe('scripts, requested or person'),
    url: z
      .string()
      .regex(/^https?:\/\/\S+$/)
      .optional()
      .describe('Where a person takes over. Whoever has it controls the browser.'),
    expiresAt: word.optional(),
  }),
  async run({ browserId: id, message, waitSeconds }, call) {
    const browser = await whichBrowser(id, call);
    const { signal } = call;
    const asked = message
      ? await browser.handoff.request({ message }, { signal })
      : await browser.handoff.get({ signal });
    const url = forPeople(asked.url, call);
    if (url) call.progress(`A person can take over at ${url}`);
    if (asked.state === 'scripts' && !asked.ended)
      throw failure(
        'NOBODY_ASKED',
        'No person holds the browser and none was asked, or the request was lost when the service started anew. Ask with message.',
      );
    const back =
      asked.state === 'scripts' || (waitSeconds > 0 && (await handedBack(browser, waitSeconds, call)));
    const { state } = back ? { state: 'scripts' } : await browser.handoff.get({ signal });
    const waiting = [
      state === 'person' ? 'A person holds the browser.' : 'Nobody has taken over yet.',
      url && `Show this address to the person: ${url} (until ${asked.expiresAt})`,
      'Then call again without message to go on waiting.',
    ];
    return {
      data: {
        browserId: browser.id,
        handedBack: back,
        state,
        ...(url && { url, expiresAt: asked.expiresAt }),
      },
      text: back
        ? 'The browser is yours again: no person holds it. Look at the page with browser_observe.'
        : waiting.filter(Boolean).join('\n'),
    };
  },
});
