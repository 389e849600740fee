/**
 * One message of a client, read with suspicion. Only the four known members go on, written anew by us, so that nothing
 * (a second `method`, a stray member) means one thing to the filter and another to Chromium. Long messages are read by
 * long-command.ts.
 */
export interface Command {
  id: number;
  method: string;
  params: Record<string, unknown>;
  sessionId: string | undefined;
  /** Of a long one: these parameters, which may be its own or what the filter made of them, as JSON. */
  written?: (params: Record<string, unknown>) => Buffer;
}

export interface Failure {
  code: number;
  message: string;
}

/** Chromium's own bound; past it, it answers without saying what. */
export const deepest = 300;

/** 90 MB of `[` would be gigabytes of empty arrays in Chromium. */
export const mostValues = 2_000_000;

const isDeep = (value: unknown, left: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1)));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is not taken, under the id it came with where that is known. */
export interface Refused {
  failure: Failure;
  id?: number;
  sessionId?: string | undefined;
}

export const notJson: Refused = { failure: { code: -32700, message: 'Message must be valid JSON' } };

export const invalid = (message: string, id?: number): Refused => ({
  failure: { code: -32600, message },
  id,
});

export function readCommand(message: string | Buffer): { command: Command } | Refused {
  let parsed: unknown;
  try {
    parsed = JSON.parse(message.toString());
  } catch {
    return notJson;
  }
  if (!isRecord(parsed)) return invalid('Message must be an object');
  const { id, method, params, sessionId } = parsed;
  if (!Number.isSafeInteger(id)) return invalid("Message must have integer 'id' property");
  const known = id as number;
  if (typeof method !== 'string') return invalid("Message must have string 'method' property", known);
  if (sessionId !== undefined && typeof sessionId !== 'string')
    return invalid("Message may have string 'sessionId' property", known);
  if (params !== undefined && !isRecord(params))
    return invalid("Message may have object 'params' property", known);
  if (isDeep(params, deepest)) return invalid('Message is nested too deeply', known);
  return { command: { id: known, method, params: params ?? {}, sessionId } };
}
