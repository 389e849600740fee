/**
 * Validation errors of the service, at the fields of a form. Fields are named by their path in the request:
 *
 *   `policy.allowedDomains[1]: not a host`  ──>  the field `policy.allowedDomains`: "entry 2: not a host"
 */
import { BrowserdError } from '@browserd/sdk';

export interface Issue {
  path: string;
  reason: string;
}

export function issuesOf(error: unknown): Issue[] {
  if (!(error instanceof BrowserdError)) return [];
  const { issues } = error.details;
  return Array.isArray(issues) ? (issues as Issue[]) : [];
}

const isUnder = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

function issueText(issue: Issue, name: string): string {
  const rest = issue.path.slice(name.length);
  const entry = /^\[(\d+)\]/.exec(rest)?.[1];
  const reason = issue.reason.replace(/^Too (small|big): expected (number|string|int) to /, 'must ');
  if (entry !== undefined) return `entry ${Number(entry) + 1}: ${reason}`;
  return rest ? `${rest.slice(1)}: ${reason}` : reason;
}

/** The first error of each field; errors that belong to no field are in `rest`. */
export function sortIssues(
  issues: readonly Issue[],
  names: readonly string[],
): { at: Record<string, string>; rest: Issue[] } {
  const at: Record<string, string> = {};
  const rest: Issue[] = [];
  for (const issue of issues) {
    const name =
      names.find((candidate) => isUnder(issue.path, candidate)) ??
      names.find((candidate) => isUnder(candidate, issue.path));
    if (name === undefined) rest.push(issue);
    else at[name] ??= issueText(issue, name);
  }
  return { at, rest };
}
