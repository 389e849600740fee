import { z } from 'zod';

const domains = z.array(z.string().min(1).max(253)).max(1000);

/** Where a browser may go: the best protection against pages that try to lead a model elsewhere. */
export const policy = z
  .strictObject({
    allowedDomains: domains.optional().describe('Only these and their subdomains may be visited.'),
    blockedDomains: domains.optional(),
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
  .describe('Where it may go. Name the domains the task needs: no page can lead it elsewhere then.');
