/** Permissions that pages of a browser have: camera, location and their like. */
import { z } from 'zod';
import type { OwnerPermissions } from '../../browsers/browsers.ts';
import {
  clearPermissionsSchema,
  permissionsSchema,
  setPermissionsSchema,
} from '../../browsers/record/permission-schema.ts';
import type { ErrorCode } from '../../errors.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const example = {
  permissions: { notifications: 'denied' },
  origins: { 'https://example.com': { geolocation: 'granted' } },
};
const params = z.object({ id: z.string().meta({ examples: [browserExample.id] }) });
const all = { 200: { description: 'All that is set.', schema: permissionsSchema } };
const changeCodes: ErrorCode[] = [
  ...bodyCodes,
  'BROWSER_NOT_FOUND',
  'BROWSER_NOT_READY',
  'BROWSER_CRASHED',
  'BROWSER_UNRESPONSIVE',
  'SERVICE_SHUTTING_DOWN',
];

/** What pages of a browser may do. */
export function permissionRoutes(app: App, { permissions }: { permissions: OwnerPermissions }): void {
  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/permissions',
    config: { examples: { response: example } },
    schema: {
      operationId: 'PermissionController_get',
      summary: 'Get permissions',
      description:
        'What is set for all origins and for single ones, by create, by these calls, and by scripts or CDP clients (`context.grantPermissions` grants what it names and denies the rest). What is not listed is as Chromium has it: a page that asks is denied.',
      tags: ['Permissions'],
      params,
      response: answers(all, ['BROWSER_NOT_FOUND', 'BROWSER_NOT_READY']),
    },
    handler: async (request) => permissions.get(request.principal.projectId, request.params.id),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/permissions',
    config: {
      examples: {
        request: { origin: 'https://example.com', permissions: { geolocation: 'granted' } },
        response: example,
      },
    },
    schema: {
      operationId: 'PermissionController_set',
      summary: 'Set permissions',
      description:
        'In the running browser at once, in a stopped one at its resume; kept over stop, resume and recovery. Those not named stay. Names are those of the web (`clipboard-read`), or of the DevTools protocol (`clipboardReadWrite`). The engine `full` has a fake camera and microphone for `camera` and `microphone`; the headless shell has no devices, and its `Notification.permission` is always `denied`.',
      tags: ['Permissions'],
      params,
      body: setPermissionsSchema,
      response: answers(all, changeCodes),
    },
    handler: async (request) => permissions.set(request.principal.projectId, request.params.id, request.body),
  });

  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/permissions/clear',
    config: { bodyOptional: true, examples: { response: { permissions: {}, origins: {} } } },
    schema: {
      operationId: 'PermissionController_clear',
      summary: 'Clear permissions',
      description: 'All of them, or with `origin` those of that origin. A body is not needed.',
      tags: ['Permissions'],
      params,
      body: clearPermissionsSchema,
      response: answers(all, changeCodes),
    },
    handler: async (request) =>
      permissions.clear(request.principal.projectId, request.params.id, request.body),
  });
}
