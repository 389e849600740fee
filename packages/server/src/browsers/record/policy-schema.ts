/** What a browser may reach and carry, and by which proxy, from outside. */
import { z } from 'zod';
import { mostRules, ruleSchema } from './rule-schema.ts';

const hostList = z.array(z.string().min(1).max(260)).max(1000);
const originList = z.array(z.string().min(1).max(300)).max(1000);

const mimePattern = /^(\*\/\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+))$/;

export const policySchema = z
  .strictObject({
    allowedDomains: hostList.optional().meta({
      description: 'Hosts the browser may visit; an entry covers its subdomains.',
      examples: [['example.com']],
    }),
    blockedDomains: hostList
      .optional()
      .meta({ description: 'Hosts it may not visit. Blocked beats allowed.' }),
    allowedOrigins: originList
      .optional()
      .meta({ description: 'scheme://host:port entries of the allow-list.' }),
    blockedOrigins: originList
      .optional()
      .meta({ description: 'scheme://host:port entries that are refused.' }),
    privateAccess: z
      .union([
        z.literal(false),
        z.strictObject({
          domains: hostList.optional(),
          cidrs: z.array(z.string().min(1).max(64)).max(1000).optional(),
          localhost: z.boolean().optional(),
          ports: z.array(z.int().min(1).max(65_535)).max(100).optional(),
        }),
      ])
      .optional()
      .meta({
        description:
          'Which private, loopback or link-local addresses may be reached, never more than the operator allows. Default: none. `ports` opens ports of mail, databases and other well-known services there, which are closed otherwise.',
      }),
    downloads: z
      .strictObject({ mode: z.enum(['allow', 'deny']).optional(), maxBytes: z.int().min(0).optional() })
      .optional()
      .meta({
        description:
          'Whether pages may download, and how large one file may be; a download that may not go on is cancelled, with an event.',
      }),
    uploads: z
      .strictObject({
        mode: z.enum(['allow', 'deny']).optional(),
        allowedMimeTypes: z
          .array(z.string().regex(mimePattern, 'expected a type such as image/png or image/*').max(255))
          .max(200)
          .optional(),
      })
      .optional()
      .meta({
        description:
          'Which files may be uploaded to the browser and put into its pages, by the type of their content; `image/*` covers all images.',
      }),
    lists: z
      .array(z.string().min(1).max(64))
      .max(20)
      .optional()
      .meta({
        description:
          'Filter lists of the operator (`BROWSERD_FILTER_LISTS`) that block what their filters name; asked for what no rule has ended.',
        examples: [['ads']],
      }),
    consent: z.enum(['decline']).nullable().optional().meta({
      description:
        'What becomes of cookie banners. `decline`: those that are recognised are declined, or hidden where they cannot be, in pages and frames. Absent or null: they stay.',
    }),
    rules: z.array(ruleSchema).max(mostRules).optional().meta({
      description:
        'What becomes of requests of pages, frames and workers, asked in this order. The first that ends a request (`allow`, `block`, `fail`, `respond`, `redirect`) is the last one asked; `headers` and `delay` apply on the way. They never open what the rest of the policy refuses.',
    }),
  })
  .meta({ id: 'Policy' });

export const proxySchema = z
  .union([
    z.string().min(1).max(2048),
    z.strictObject({
      server: z.string().min(1).max(2048),
      username: z.string().max(1024).optional(),
      password: z.string().max(1024).optional(),
      bypass: z.array(z.string().min(1).max(260)).max(200).optional(),
    }),
  ])
  .meta({ description: 'http, https or socks5 URL, or its parts. Never a silent direct connection.' });

export const proxyViewSchema = z.strictObject({
  server: z.string(),
  username: z.string().optional(),
  bypass: z.array(z.string()).optional(),
});

export type Policy = z.output<typeof policySchema>;
export type ProxyInput = z.output<typeof proxySchema>;
