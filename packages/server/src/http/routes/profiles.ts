/** Saved profiles: made, listed, changed, deleted, exported, and their versions. */
import { z } from 'zod';
import type { OwnerState } from '../../browsers/browsers.ts';
import type { Profiles } from '../../profiles/profiles.ts';
import {
  createProfileSchema,
  deletedProfileSchema,
  type Profile,
  patchProfileSchema,
  profileSchema,
  profileVersionSchema,
  restoreProfileSchema,
  storageStateSchema,
} from '../../profiles/schema.ts';
import { answers, bodyCodes, pageOf, pageQuery } from '../contract/contract.ts';
import type { Once } from '../gate/gate.ts';
import type { App } from '../wire/wire.ts';
import { createProfileExample, profileExample, versionExample } from './profile-examples.ts';

export interface ProfileRouteParts {
  profiles: Profiles;
  /** Of a browser that a profile begins with. */
  state: OwnerState;
  once: Once;
  /** An imported state may be long. */
  bodyLimit: number;
}

export const profileParams = z.object({ profileId: z.string().meta({ examples: [profileExample.id] }) });
const tags = ['Profiles'];
const profile = { description: 'The profile.', schema: profileSchema };
const onceCodes = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_USE'] as const;
const storeCodes = ['QUOTA_EXCEEDED', 'STORAGE_FULL', 'SERVICE_SHUTTING_DOWN'] as const;

const listQuery = z.strictObject({
  name: z.string().min(1).max(200).optional().meta({ description: 'Only the one with this name.' }),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((map) => Object.keys(map).length <= 50, { message: 'at most 50 keys' })
    .optional()
    .meta({ description: 'Only profiles whose metadata has these values: `metadata[team]=red`.' }),
  ...pageQuery,
});

export function profileRoutes(app: App, { profiles, state, once, bodyLimit }: ProfileRouteParts): void {
  app.route({
    method: 'GET',
    url: '/v1/profiles',
    config: { large: true, examples: { response: { items: [profileExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'ProfileController_list',
      summary: 'List profiles',
      description: 'The profiles of the project, newest first.',
      tags,
      querystring: listQuery,
      response: answers(
        { 200: { description: 'A page of profiles.', schema: pageOf(profileSchema, 'ProfilePage') } },
        ['INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, query }) => profiles.list(principal.projectId, query),
  });

  app.route({
    method: 'POST',
    url: '/v1/profiles',
    bodyLimit,
    config: {
      holderIn: 'browserId',
      idempotency: 'required',
      examples: { request: createProfileExample, response: profileExample },
    },
    schema: {
      operationId: 'ProfileController_create',
      summary: 'Create a profile',
      description:
        'Empty, with the state of a browser (`browserId`), or with a `storageState` of Playwright. A browser that is created with it begins signed in wherever the profile is.',
      tags,
      body: createProfileSchema,
      response: answers({ 201: profile }, [
        'PROFILE_NAME_TAKEN',
        'BROWSER_NOT_FOUND',
        'BROWSER_NOT_READY',
        ...onceCodes,
        ...storeCodes,
        ...bodyCodes,
      ]),
    },
    handler: async (request, reply) => {
      const { body, principal, idempotencyKey = '' } = request;
      const { projectId } = principal;
      const answer = await once(request, reply, async (madeBefore) => {
        const options = { idempotencyKey, madeBefore };
        const made =
          body.browserId === undefined || madeBefore !== undefined
            ? await profiles.create(projectId, body, options)
            : await state.use(projectId, body.browserId, (captured) =>
                profiles.create(projectId, body, { ...options, captured }),
              );
        return { statusCode: 201, body: made };
      });
      if (reply.statusCode < 300) reply.header('location', `/v1/profiles/${(answer as Profile).id}`);
      return answer;
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/profiles/:profileId',
    config: { examples: { response: profileExample } },
    schema: {
      operationId: 'ProfileController_get',
      summary: 'Get a profile',
      tags,
      params: profileParams,
      response: answers({ 200: profile }, ['PROFILE_NOT_FOUND']),
    },
    handler: async ({ principal, params }) => profiles.get(principal.projectId, params.profileId),
  });

  app.route({
    method: 'PATCH',
    url: '/v1/profiles/:profileId',
    config: { examples: { request: { name: 'github' }, response: profileExample } },
    schema: {
      operationId: 'ProfileController_update',
      summary: 'Change a profile',
      description: 'Its name, metadata, expiry or check. Fields that are not named stay; null removes.',
      tags,
      params: profileParams,
      body: patchProfileSchema,
      response: answers({ 200: profile }, [
        'PROFILE_NOT_FOUND',
        'PROFILE_NAME_TAKEN',
        'SERVICE_SHUTTING_DOWN',
        ...bodyCodes,
      ]),
    },
    handler: async ({ principal, params, body }) =>
      profiles.patch(principal.projectId, params.profileId, body),
  });

  app.route({
    method: 'DELETE',
    url: '/v1/profiles/:profileId',
    config: {
      idempotency: 'required',
      examples: { response: { id: profileExample.id, deleted: true } },
    },
    schema: {
      operationId: 'ProfileController_delete',
      summary: 'Delete a profile',
      description:
        'With all its versions: when it answers, nothing of it is on the disk. Browsers that read it keep their copies. One that a browser saves into is not deleted.',
      tags,
      params: profileParams,
      response: answers({ 200: { description: 'Deleted.', schema: deletedProfileSchema } }, [
        'PROFILE_NOT_FOUND',
        'PROFILE_IN_USE',
        'SERVICE_SHUTTING_DOWN',
        ...onceCodes,
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => ({
        statusCode: 200,
        body: await profiles.remove(request.principal.projectId, request.params.profileId),
      })),
  });

  app.route({
    method: 'GET',
    url: '/v1/profiles/:profileId/export',
    config: { role: 'admin', examples: { response: { cookies: [], origins: [] } } },
    schema: {
      operationId: 'ProfileController_export',
      summary: 'Export a profile',
      description:
        'Cookies and local storage of the newest version as Playwright’s `storageState`, in the clear; IndexedDB is not in it. For admin keys only, and told as the event `profile.exported`.',
      tags,
      params: profileParams,
      response: answers({ 200: { description: 'The state.', schema: storageStateSchema } }, [
        'FORBIDDEN',
        'PROFILE_NOT_FOUND',
        'PROFILE_VERSION_NOT_FOUND',
      ]),
    },
    handler: async ({ principal, params }, reply) => {
      reply.header('cache-control', 'no-store');
      return profiles.exportState(principal.projectId, params.profileId, principal.keyId);
    },
  });

  app.route({
    method: 'GET',
    url: '/v1/profiles/:profileId/versions',
    config: { examples: { response: { items: [versionExample], limit: 20, hasMore: false } } },
    schema: {
      operationId: 'ProfileController_versions',
      summary: 'List versions of a profile',
      description: 'Those that are kept, newest first.',
      tags,
      params: profileParams,
      querystring: z.strictObject(pageQuery),
      response: answers(
        {
          200: {
            description: 'A page of versions.',
            schema: pageOf(profileVersionSchema, 'ProfileVersionPage'),
          },
        },
        ['PROFILE_NOT_FOUND', 'INVALID_CURSOR'],
      ),
    },
    handler: async ({ principal, params, query }) =>
      profiles.listVersions(principal.projectId, params.profileId, query),
  });

  app.route({
    method: 'POST',
    url: '/v1/profiles/:profileId/restore',
    config: { idempotency: 'optional', examples: { request: { version: 2 }, response: profileExample } },
    schema: {
      operationId: 'ProfileController_restore',
      summary: 'Restore a version of a profile',
      description:
        'Makes the contents of an earlier version the newest one. Nothing that was saved since is removed by it.',
      tags,
      params: profileParams,
      body: restoreProfileSchema,
      response: answers({ 200: profile }, [
        'PROFILE_NOT_FOUND',
        'PROFILE_VERSION_NOT_FOUND',
        'PROFILE_IN_USE',
        'PROFILE_CHANGED',
        'IDEMPOTENCY_KEY_REUSED',
        'IDEMPOTENCY_KEY_IN_USE',
        ...storeCodes,
        ...bodyCodes,
      ]),
    },
    handler: async (request, reply) =>
      once(request, reply, async () => ({
        statusCode: 200,
        body: await profiles.restore(
          request.principal.projectId,
          request.params.profileId,
          request.body.version,
        ),
      })),
  });
}
