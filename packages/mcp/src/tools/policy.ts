/**
 * Where a browser may go: the best protection against pages that try to lead a model elsewhere. The model that fills it
 * in may have read such a page, so access to the private network is not part of it unless the operator allows it.
 */
import { z } from 'zod';

const domains = z.array(z.string().min(1).max(253)).max(1000);
const about = 'Where it may go. Name the domains the task needs: no page can lead it elsewhere then.';

const publicOnly = z.strictObject({
  allowedDomains: domains.optional().describe('Only these and their subdomains may be visited.'),
  blockedDomains: domains.optional(),
});

export const policy = publicOnly.optional().describe(about);

export const policyWithPrivateAccess = publicOnly
  .extend({
    privateAccess: z
      .strictObject({
        localhost: z.boolean().optional(),
        domains: domains.optional(),
        cidrs: z.array(z.string().max(64)).max(100).optional(),
      })
      .optional()
      .describe('Private addresses that may be visited. None unless named.'),
  })
  .optional()
  .describe(about);
