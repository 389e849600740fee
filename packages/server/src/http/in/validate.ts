/** Checks a part of the request against its zod schema; each fault is named by its path and the reason. */
import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '../../errors.ts';

export interface Issue {
  path: string;
  reason: string;
}

type ZodIssue = z.core.$ZodIssue;

/** A request may hold thousands of faults, or fault names of megabytes. */
const mostIssues = 50;
const longestText = 200;

const clip = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );

/** Of the branches of a union, the one the caller most likely meant: the one whose faults lie deepest. */
const likeliest = (branches: readonly ZodIssue[][]): ZodIssue[] => {
  const depth = (issues: ZodIssue[]): number =>
    Math.max(...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)));
  return branches.toSorted((a, b) => depth(b) - depth(a))[0] ?? [];
};

function flatten(issue: ZodIssue, parents: readonly PropertyKey[] = []): Issue[] {
  const path = [...parents, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, mostIssues)
      .map((key) => ({ path: clip(pathText([...path, key])), reason: 'unknown field' }));
  if (issue.code === 'invalid_union') {
    const branch = likeliest(issue.errors);
    const deep = branch.some((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys');
    if (deep) return branch.flatMap((inner) => flatten(inner, path));
    const reasons = issue.errors.flat().map((inner) => reasonOf(inner));
    return [{ path: clip(pathText(path)), reason: [...new Set(reasons)].join(', or ') || 'not valid' }];
  }
  return [{ path: clip(pathText(path)), reason: reasonOf(issue) }];
}

const reasonOf = (issue: ZodIssue): string => clip(issue.message.replace(/^Invalid input: /, ''));

export function validationFailed(part: string, issues: readonly Issue[]): ApiError {
  const [first] = issues;
  const where = first?.path ? `\`${first.path}\` of the ${part}` : `the ${part}`;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new ApiError('VALIDATION_FAILED', `The request is not valid: ${where}: ${first?.reason}${more}.`, {
    details: { issues },
  });
}

/** Of the body, whatever looked at it. */
export const bodyInvalid = (error: z.ZodError): ApiError => validationFailed('body', issuesOf(error));

const issuesOf = ({ issues }: z.ZodError): Issue[] =>
  issues
    .slice(0, mostIssues)
    .flatMap((issue) => flatten(issue))
    .slice(0, mostIssues);

const partNames: Record<string, string> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
};

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const part = partNames[httpPart ?? 'body'] ?? 'body';
  return (data: unknown) => {
    const read = schema.safeParse(data);
    if (read.success) return { value: read.data };
    return { error: validationFailed(part, issuesOf(read.error)) };
  };
};
