/**
 * A trace has the headers and cookies of every request, and those that a script set or read. Here the values of those that
 * carry credentials are taken out, line by line, in whatever place of an event they are.
 */
import { isSecretHeader, masked } from '../../kit/mask-headers.ts';

/** Lines without one of these words need not be parsed; `isSecretHeader` knows which of them are meant. */
const mayHold = /auth|cookie|credential|jwt|key|pass|pwd|secret|session|sid|sig|token/i;
const deepest = 200;

/** Undefined: the line is none of a trace. */
export function withoutCredentials(line: string): string | undefined {
  if (!mayHold.test(line)) return line;
  try {
    return JSON.stringify(hide(JSON.parse(line), 0));
  } catch {
    return undefined;
  }
}

function hide(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return null;
  if (Array.isArray(value)) return value.map((each) => hide(each, depth + 1));
  const fields = value as Record<string, unknown>;
  const { name, value: said } = fields;
  if (typeof name === 'string' && typeof said === 'string' && isSecretHeader(name))
    return { ...fields, value: masked };
  return Object.fromEntries(
    Object.entries(fields).map(([key, each]) => [
      key,
      key === 'cookies' ? hideCookies(each) : hide(each, depth + 1),
    ]),
  );
}

const hideCookies = (cookies: unknown): unknown =>
  Array.isArray(cookies)
    ? cookies.map((cookie) =>
        typeof cookie === 'object' && cookie !== null ? { ...cookie, value: masked } : masked,
      )
    : masked;
