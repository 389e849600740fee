/** Shapes that several areas share: pages of a list, errors, and how a route lists its answers. */
import { z } from 'zod';
import { categories, type ErrorCode, errorTable, nextSteps } from '../../errors.ts';

const errorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]).meta({ id: 'ErrorCode' }),
      message: z.string().meta({ description: 'What failed, why, and how to mend it.' }),
      details: z.looseObject({ requestId: z.string() }).meta({
        description: 'Facts for programs, by code; always `requestId`, and `issues` for `VALIDATION_FAILED`.',
      }),
      category: z.enum(categories),
      nextStep: z.enum(nextSteps).meta({ description: 'What the caller can do about it.' }),
    }),
  })
  .meta({ id: 'Error' });

/** Of a query, where a number is a text. */
export const wholeNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;

/** The part of a list's query that all lists have. */
export const pageQuery = {
  limit: z
    .preprocess(wholeNumber, z.int().min(1).max(100).default(20))
    .meta({ description: 'Items per page, at most: fewer where they are large.' }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the page before.' }),
};

export const pageOf = <T extends z.ZodType>(item: T, id: string) =>
  z
    .strictObject({
      items: z.array(item),
      limit: z.int(),
      hasMore: z.boolean(),
      nextCursor: z.string().optional().meta({ description: 'Absent on the last page.' }),
    })
    .meta({ id });

/** What any call under /v1 may answer, so that a route lists only what is particular to it. */
const everywhere: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'VALIDATION_FAILED',
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'INTERNAL',
  'STORE_UNAVAILABLE',
];

/** What any call that takes a JSON body may answer besides. */
export const bodyCodes: readonly ErrorCode[] = [
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

interface Success {
  description: string;
  /** Of a JSON answer. */
  schema?: z.ZodType;
  /** Of an answer that is not JSON, or not always; without either the answer has no body. */
  type?: string;
}

const describe = ({ description, schema, type }: Success): unknown => {
  const other = type && { [type]: { schema: z.unknown() } };
  if (schema) return { description, content: { 'application/json': { schema }, ...other } };
  if (other) return { description, content: other };
  return z.null().meta({ description });
};

/** The `response` part of a route's schema. Answers are not checked against it at run time: the tests do that. */
export function answers(
  successes: Record<number, Success>,
  codes: readonly ErrorCode[],
  common: readonly ErrorCode[] = everywhere,
): Record<string, unknown> {
  const response: Record<string, unknown> = {};
  for (const [status, success] of Object.entries(successes)) response[status] = describe(success);
  const byStatus = Map.groupBy(new Set([...common, ...codes]), (code) => errorTable[code].status);
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b)) {
    const description = group.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join('\n\n');
    response[status] = { description, content: { 'application/json': { schema: errorSchema } } };
  }
  return response;
}

/** Adds what a route may answer where another node does its work. */
export function alsoAnswers(response: Record<string, unknown>, code: ErrorCode): void {
  const { status, meaning } = errorTable[code];
  const listed = response[status] as { description: string } | undefined;
  const description = [listed?.description, `\`${code}\`: ${meaning}`].filter(Boolean).join('\n\n');
  response[status] = { description, content: { 'application/json': { schema: errorSchema } } };
}

/** A page for people, or another document that is fetched without a key. */
export const pageSchema = (
  operationId: string,
  { summary, description, type = 'text/html' }: { summary: string; description: string; type?: string },
) => ({
  operationId,
  summary,
  description,
  tags: ['Pages'],
  security: [],
  response: answers({ 200: { description: summary, type } }, [], ['INVALID_REQUEST', 'RATE_LIMITED']),
});
