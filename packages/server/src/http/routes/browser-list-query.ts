/** What a list of browsers can be asked for. */
import { z } from 'zod';
import { browserStatus, handoffStates } from '../../browsers/record/schema.ts';
import { pageQuery } from '../contract/contract.ts';

const fullTime = z.iso.datetime({ offset: true });

/** A date is its first moment, and a time without a zone is in UTC: the same query means the same everywhere. */
const moment = z
  .string()
  .transform((text, ctx) => {
    const [, day = '', time = '00:00', seconds = ':00', zone = 'Z'] =
      /^([\d-]+)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
    const full = `${day}T${time}${seconds}${zone}`;
    if (fullTime.safeParse(full).success) return Date.parse(full);
    const message =
      'expected a date or a time, such as 2026-01-31, 2026-01-31T12:00 or 2026-01-31T12:00:00+01:00';
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .optional();
const momentFormat =
  'ISO-8601: a date (its first moment), or a time; in UTC where it names no zone. A `+` in a query is written `%2B`.';

const several = (value: unknown): unknown =>
  value === undefined ? undefined : [value].flat().flatMap((item) => String(item).split(','));

export const listQuery = z.strictObject({
  status: z
    .preprocess(several, z.array(browserStatus).optional())
    .meta({ description: 'Only these; repeated or comma-separated.' }),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((map) => Object.keys(map).length <= 50, { message: 'at most 50 keys' })
    .optional()
    .meta({ description: 'Only browsers whose metadata has these values: `metadata[team]=red`.' }),
  search: z.string().trim().min(1).max(200).optional().meta({
    description:
      'Only browsers in whose name, metadata (`key=value`) or id each of these words occurs, in any case; ids are compared with words of at least six characters. A page looks at 5,000 browsers at most, so it may hold fewer than `limit`, or none, though `hasMore` is true.',
  }),
  handoff: z.preprocess(several, z.array(handoffStates).optional()).meta({
    description: 'Only ready browsers that wait for a person (`requested`) or that a person holds.',
  }),
  createdAfter: moment.meta({ description: `Only browsers created after it. ${momentFormat}` }),
  createdBefore: moment.meta({ description: `Only browsers created before it. ${momentFormat}` }),
  ...pageQuery,
});
