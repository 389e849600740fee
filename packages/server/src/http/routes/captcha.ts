/** Which captchas a page shows, and solving them. */
import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import {
  type Captchas as CaptchasView,
  captchaQuery,
  captchasSchema,
  resolveCaptchaSchema,
} from '../../page/captcha/schema.ts';
import type { Captchas } from '../../page/page.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { type SigningParts, signedAddress } from '../out/out.ts';
import { type App, hangUp } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const example: CaptchasView = {
  state: 'solved',
  items: [
    {
      type: 'altcha',
      category: 'form',
      state: 'solved',
      pageUrl: 'https://example.com/contact',
      tabId: 'B00BFB574DD3698D85C5B7C996E1D6C4',
      frameId: 'B00BFB574DD3698D85C5B7C996E1D6C4',
      detectedAt: browserExample.createdAt,
      resolvedAt: browserExample.createdAt,
      method: 'widget',
      evidence: ['<altcha-widget>', '<input name=altcha>'],
      attempts: [
        { solver: 'wait', outcome: 'skipped', reason: 'it does not clear by itself', durationMs: 0 },
        { solver: 'widget', outcome: 'solved', durationMs: 1240 },
      ],
    },
  ],
};

const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const failures: ErrorCode[] = [
  'BROWSER_NOT_FOUND',
  'TAB_NOT_FOUND',
  'BROWSER_NOT_READY',
  'DIALOG_OPEN',
  'PAGE_CRASHED',
  'BROWSER_CRASHED',
  'BROWSER_UNRESPONSIVE',
  'SERVICE_SHUTTING_DOWN',
];

export interface CaptchaParts extends SigningParts {
  captchas: Pick<Captchas, 'show' | 'resolve'>;
}

/** As long as a call may wait for a person. */
const invitationSeconds = 600;

/** Captchas of a tab. Neither call waits for scripts. */
export function captchaRoutes(app: App, parts: CaptchaParts): void {
  const { captchas } = parts;
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/captcha',
    config: { examples: { response: example } },
    schema: {
      operationId: 'CaptchaController_get',
      summary: 'Look for captchas',
      description:
        'The captchas that a tab shows now, in all of its frames: one look, from the page’s own elements. A widget that is none of the known ones is `unknown`, with what was seen of it in `evidence`. Also while they are being solved.',
      tags: ['Captcha'],
      params,
      querystring: captchaQuery,
      response: answers({ 200: { description: 'What the page shows.', schema: captchasSchema } }, failures),
    },
    handler: async ({ principal, params: { id }, query }, reply) =>
      captchas.show(principal.projectId, id, query, hangUp(reply.raw)),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/captcha/resolve',
    config: { bodyOptional: true, examples: { request: { timeoutMs: 60_000 }, response: example } },
    schema: {
      operationId: 'CaptchaController_resolve',
      summary: 'Solve captchas',
      description:
        'Tries the configured solvers in their order on every captcha of a tab. Without a captcha the state is `none`; when none could be solved it is `failed`, and each item says why. An item is `solved` only when the page itself shows that it accepted; an answer that the page has not judged leaves it `detected`, with `method` and `reason`. One call at a time for each tab; a caller that hangs up ends it. Use it only where you are allowed to.',
      tags: ['Captcha'],
      params,
      body: resolveCaptchaSchema,
      response: answers({ 200: { description: 'What became of each.', schema: captchasSchema } }, [
        ...bodyCodes,
        ...failures,
        'CAPTCHA_SOLVING',
      ]),
    },
    handler: async (request, reply) => {
      const {
        principal,
        params: { id },
        body,
      } = request;
      const wanted = {
        kind: 'live',
        mode: 'control',
        browserId: id,
        ttlSeconds: invitationSeconds,
        purpose: 'captcha',
      } as const;
      const invite = async () => {
        const { url, expiresAt } = await signedAddress(parts, request, wanted);
        return { url, expiresAt };
      };
      return captchas.resolve(principal.projectId, id, body, { gone: hangUp(reply.raw), invite });
    },
  });
}
