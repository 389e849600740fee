/** Whether a profile is signed in, and a browser in which a person signs it in. */
import type { FastifyRequest } from 'fastify';
import type { Browsers } from '../../browsers/browsers.ts';
import type { CreateBrowser } from '../../browsers/record/schema.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import type { Views } from '../../page/page.ts';
import type { Profiles } from '../../profiles/profiles.ts';
import {
  checkedProfileSchema,
  checkProfileSchema,
  type SignInBrowser,
  signInBrowserSchema,
  signInSchema,
} from '../../quick/profile-schema.ts';
import { checkSignIn, type Quick, type SignInCheck } from '../../quick/quick.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { readPrefer } from '../in/in.ts';
import { type SigningParts, signedAddress } from '../out/out.ts';
import { type App, hangUp } from '../wire/wire.ts';
import { profileExample, signInExample } from './profile-examples.ts';
import { profileParams } from './profiles.ts';

export interface SignInParts extends SigningParts {
  profiles: Profiles;
  browsers: Pick<Browsers, 'create'>;
  views: Pick<Views, 'handoff'>;
  quick: Pick<Quick, 'scrape'>;
}

const tags = ['Profiles'];
const startCodes: ErrorCode[] = [
  'PROFILE_NOT_FOUND',
  'PROFILE_IN_USE',
  'POLICY_NOT_ALLOWED',
  'CAPACITY_EXHAUSTED',
  'BROWSER_START_FAILED',
  'BROWSER_CRASHED',
  'PROXY_UNREACHABLE',
  'PROXY_AUTH_FAILED',
  'SERVICE_SHUTTING_DOWN',
];
const defaultMessage = 'Please sign in, then hand the browser back.';
/** What a person leaves open is closed, and saved, after this time. */
const longestMs = 3_600_000;

export function profileSignInRoutes(app: App, parts: SignInParts): void {
  app.route({
    method: 'POST',
    url: '/v1/profiles/:profileId/check',
    config: {
      answers: 'room',
      prefers: true,
      examples: {
        request: { handoff: true },
        response: { state: 'signed_in', checkedAt: profileExample.updatedAt },
      },
    },
    schema: {
      operationId: 'ProfileController_check',
      summary: 'See whether a profile is signed in',
      description:
        'Visits the page of the profile’s `check` with the profile and looks. A profile that is signed out is told as the event `profile.signed_out`; with `handoff` a browser waits for a person there.',
      tags,
      params: profileParams,
      body: checkProfileSchema,
      response: answers({ 200: { description: 'What was seen.', schema: checkedProfileSchema } }, [
        'PROFILE_HAS_NO_CHECK',
        'SELECTOR_NOT_FOUND',
        ...startCodes,
        ...bodyCodes,
      ]),
    },
    handler: async (request, reply) => {
      const { principal, params, body } = request;
      const { projectId } = principal;
      const { id, check } = await checkOf(parts, projectId, params.profileId);
      const caller = {
        projectId,
        gone: hangUp(reply.raw),
        waitMs: readPrefer(request.headers.prefer).waitMs,
      };
      const seen = await checkSignIn(parts.quick, caller, id, check, body);
      await parts.profiles.noteHealth(projectId, id, seen.state);
      const wanted = seen.state === 'signed_out' && body.handoff;
      const { message, policy, proxy, ttlSeconds } = body;
      const wishes = { url: check.url, message, policy, proxy, ttlSeconds };
      const signIn = wanted ? await openForPerson(parts, request, id, wishes) : undefined;
      return { ...seen, checkedAt: new Date().toISOString(), ...(signIn && { signIn }) };
    },
  });

  app.route({
    method: 'POST',
    url: '/v1/profiles/:profileId/sign-in',
    config: {
      answers: 'room',
      prefers: true,
      examples: { request: { url: 'https://github.com/login' }, response: signInExample },
    },
    schema: {
      operationId: 'ProfileController_signIn',
      summary: 'Let a person sign a profile in',
      description:
        'Creates a browser with the profile and `save: close`, and asks a person to take it over at the signed live address of the answer. When the person hands it back it is closed, and its state saved into the profile; after an hour that happens by itself.',
      tags,
      params: profileParams,
      body: signInSchema,
      response: answers({ 201: { description: 'It waits.', schema: signInBrowserSchema } }, [
        ...startCodes,
        ...bodyCodes,
      ]),
    },
    handler: async (request, reply) => {
      const { principal, params, body } = request;
      const { id, signInCheck } = await parts.profiles.find(principal.projectId, { id: params.profileId });
      const url = body.url ?? (signInCheck?.url as string | undefined);
      const opened = await openForPerson(parts, request, id, { ...body, url });
      return reply.code(201).send(opened);
    },
  });
}

async function checkOf(
  { profiles }: SignInParts,
  projectId: string,
  profileId: string,
): Promise<{ id: string; check: SignInCheck }> {
  const { id, signInCheck } = await profiles.find(projectId, { id: profileId });
  if (signInCheck) return { id, check: signInCheck as unknown as SignInCheck };
  throw new ApiError(
    'PROFILE_HAS_NO_CHECK',
    `The profile ${id} has no \`check\`. Give it one: PATCH /v1/profiles/${id} {"check": {"url": …}}.`,
  );
}

/** A browser that saves into the profile when the person hands it back. */
async function openForPerson(
  parts: SignInParts,
  request: FastifyRequest,
  profileId: string,
  wishes: Pick<CreateBrowser, 'policy' | 'proxy'> & { url?: string; message?: string; ttlSeconds: number },
): Promise<SignInBrowser> {
  const { projectId } = request.principal;
  const { url, message = defaultMessage, ttlSeconds, policy, proxy } = wishes;
  const { waitMs } = readPrefer(request.headers.prefer);
  const input: CreateBrowser = {
    name: 'sign-in',
    profile: { id: profileId, save: 'close' },
    maxDuration: Math.max(longestMs, ttlSeconds * 1000),
    ...(url !== undefined && { startUrl: url }),
    ...(policy && { policy }),
    ...(proxy && { proxy }),
  };
  const { id: browserId } = await parts.browsers.create(projectId, input, { respondAsync: false, waitMs });
  const handoff = await parts.views.handoff(projectId, browserId);
  const address = { kind: 'live', mode: 'control', browserId, ttlSeconds, purpose: 'handoff' } as const;
  const { url: viewUrl, expiresAt } = await signedAddress(parts, request, address);
  handoff.request(message, expiresAt, { thenClose: true });
  return { browserId, url: viewUrl, expiresAt };
}
