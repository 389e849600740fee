/**
 * Where a browser may go: the best protection against pages that try to lead a model elsewhere. The model that fills it
 * in may have read such a page, so access to the private network is not part of it unless the operator allows it.
 * Rules, lists and the wish about banners open nothing that the rest of it refuses.
 */
import { z } from 'zod';

const domains = z.array(z.string().max(253)).max(1000);
const about = 'Where it may go. Name the domains the task needs: no page can lead it elsewhere then.';

const publicOnly = z.strictObject({
  allowedDomains: domains.optional().describe('Only these and their subdomains.'),
  blockedDomains: domains.optional(),
  lists: z.array(z.string().max(64)).max(20).optional().describe('Filter lists of the server, such as ads.'),
  consent: z.enum(['decline']).optional().describe('decline: cookie banners are declined by themselves.'),
});

/** The server knows which fields an action has, and says so. */
const rules = z
  .array(
    z.strictObject({
      match: z.strictObject({
        url: z.string().max(2048).optional().describe('* for any characters.'),
        host: z.string().max(260).optional(),
        type: z.string().max(32).optional().describe('document, script, image, fetch, …'),
        method: z.string().max(32).optional(),
        thirdParty: z.boolean().optional(),
      }),
      do: z
        .looseObject({
          action: z.enum(['allow', 'block', 'fail', 'respond', 'headers', 'delay', 'redirect']),
        })
        .describe(
          'fail: error. respond: status, headers, body. headers: set, remove. delay: ms. redirect: url.',
        ),
    }),
  )
  .max(200)
  .optional()
  .describe('What becomes of requests, in this order.');

const privateAccess = z
  .strictObject({
    localhost: z.boolean().optional(),
    domains: domains.optional(),
    cidrs: z.array(z.string().max(64)).max(100).optional(),
  })
  .optional()
  .describe('Private addresses that may be visited. None unless named.');

/** Of a page that is read once: it is the redirects of its site that matter, and its banner. */
const ofPage = publicOnly.pick({ allowedDomains: true, consent: true });
export const policyOfPage = ofPage.optional().describe(about);
export const policyOfPageWithPrivateAccess = ofPage.extend({ privateAccess }).optional().describe(about);

/** Of a site that is looked through: its scope keeps it where it is. */
export const policyOfSiteWithPrivateAccess = z.strictObject({ privateAccess }).optional();

/** Of a browser that stays. */
export const policyOfBrowser = publicOnly.extend({ rules }).optional().describe(about);
export const policyOfBrowserWithPrivateAccess = publicOnly
  .extend({ rules, privateAccess })
  .optional()
  .describe(about);
