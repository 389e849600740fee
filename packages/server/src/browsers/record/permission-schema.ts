/** What pages may do, from outside. */
import { z } from 'zod';

const permissionState = z.enum(['granted', 'denied', 'prompt']).meta({ id: 'PermissionState' });
const permissionSet = z.record(z.string().max(64), permissionState);
const origin = z
  .string()
  .min(1)
  .max(300)
  .meta({ description: 'scheme://host or scheme://host:port', examples: ['https://example.com'] });

export const permissionsSchema = z
  .strictObject({
    permissions: permissionSet.meta({ description: 'For all origins.' }),
    origins: z
      .record(z.string(), permissionSet)
      .meta({ description: 'For single origins; they beat those for all.' }),
  })
  .meta({ id: 'Permissions' });

export const setPermissionsSchema = z
  .strictObject({
    origin: origin.optional(),
    permissions: permissionSet.refine((set) => Object.keys(set).length > 0, {
      message: 'name at least one permission',
    }),
  })
  .meta({ id: 'SetPermissions' });

export const clearPermissionsSchema = z
  .strictObject({ origin: origin.optional() })
  .meta({ id: 'ClearPermissions' });

export type SetPermissions = z.output<typeof setPermissionsSchema>;
export type ClearPermissions = z.output<typeof clearPermissionsSchema>;
