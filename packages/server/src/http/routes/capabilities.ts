/** Signed addresses for sockets and viewers, made for a caller that passes them on. */
import { z } from 'zod';
import { type Capability, capabilitySchema, createCapabilitySchema } from '../../access/schema.ts';
import { type Browsers, nextStepOf } from '../../browsers/browsers.ts';
import type { Browser } from '../../browsers/record/schema.ts';
import { ApiError } from '../../errors.ts';
import type { Attachments, TabCalls } from '../../page/page.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { type SigningParts, signedAddress } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const capabilityExample: Capability = {
  kind: 'cdp',
  mode: 'control',
  url: `wss://browsers.example.com/v1/browsers/${browserExample.id}/cdp?token=bdc_…`,
  expiresAt: browserExample.expiresAt,
};

export interface CapabilityParts extends SigningParts {
  browsers: Pick<Browsers, 'get'>;
  attachments: Pick<Attachments, 'checkIsolation'>;
  tabs: Pick<TabCalls, 'refuseUnknown'>;
}

/** Takes no Idempotency-Key: its answer holds a secret, and secrets are not stored. */
export function capabilityRoutes(app: App, parts: CapabilityParts): void {
  const { browsers, attachments, tabs } = parts;
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/capabilities',
    config: {
      answers: 'holder, or any',
      examples: { request: { kind: 'cdp', ttlSeconds: 300 }, response: capabilityExample },
    },
    schema: {
      operationId: 'CapabilityController_create',
      summary: 'Issue a signed address',
      description:
        'An address to hand to a client or a person: whoever has it can connect to this browser, in this way, until it expires, without a key. It stays good over stop, resume and recovery, and ends with the browser or with the key that asked for it.',
      tags: ['CDP'],
      params: z.object({ id: z.string().meta({ examples: [browserExample.id] }) }),
      body: createCapabilitySchema,
      response: answers({ 201: { description: 'The address.', schema: capabilitySchema } }, [
        ...bodyCodes,
        'BROWSER_NOT_FOUND',
        'TAB_NOT_FOUND',
        'BROWSER_NOT_READY',
        'ISOLATION_UNAVAILABLE',
        'SERVICE_SHUTTING_DOWN',
      ]),
    },
    handler: async (request, reply) => {
      const { body, principal, params } = request;
      refuseOver(await browsers.get(principal.projectId, params.id));
      const { kind, ttlSeconds, tabId, frameAncestors } = body;
      if (kind === 'cdp') attachments.checkIsolation();
      if (tabId !== undefined) await tabs.refuseUnknown(principal.projectId, params.id, tabId);
      const mode = body.mode ?? (kind === 'cdp' ? 'control' : 'view');
      const { expiresAt, ...addresses } = await signedAddress(parts, request, {
        kind,
        mode,
        browserId: params.id,
        ttlSeconds,
        purpose: 'capability',
        tabId,
        frameAncestors,
      });
      return reply.code(201).send({ kind, mode, ...addresses, tabId, frameAncestors, expiresAt });
    },
  });
}

/** A browser that can be resumed keeps its addresses; a closed one needs none. */
function refuseOver({ id, status, statusReason }: Browser): void {
  const nextStep = nextStepOf(status);
  if (nextStep === 'create_browser')
    throw new ApiError('BROWSER_NOT_READY', `Browser ${id} is ${status}. Create a new one.`, {
      nextStep,
      details: { status, statusReason },
    });
}
