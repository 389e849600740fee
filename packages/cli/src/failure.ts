import { BrowserdError, ConnectionError, type ScriptError } from '@browserd/sdk';

/**
 * Why the program ends as it does. A script that calls it can trust the number:
 *
 *   0  done                        3  the service could not be reached
 *   1  the service or the script   4  not authenticated, or not allowed
 *      said no                     130  interrupted (128 + the signal)
 *   2  wrong usage
 */
export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3, forbidden: 4 } as const;

/** Something that went wrong on this side: its message is all that a person needs. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const wrongUsage = (message: string): Failure => new Failure(message, exitCodes.usage);

/** A signal, or a reader that has left; thrown out of whatever was under way. */
export class Interrupted extends Failure {
  constructor(exitCode: number) {
    super('Interrupted.', exitCode);
  }
}

/** Only the exit code is left to say. */
export class AlreadyTold extends Failure {
  constructor(exitCode: number) {
    super('', exitCode);
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode;
  if (error instanceof ConnectionError) return exitCodes.unreachable;
  if (!(error instanceof BrowserdError)) return exitCodes.refused;
  if (error.code === 'UNEXPECTED_ANSWER') return exitCodes.unreachable;
  if (error.code === 'INVALID_ARGUMENT') return exitCodes.usage;
  return error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN'
    ? exitCodes.forbidden
    : exitCodes.refused;
}

const whereKeysAre =
  'A key is made when the service first starts; it is in the file admin-key of its data folder. ' +
  'Whoever has an admin key makes more with: browserd keys create NAME\n' +
  'Give it with BROWSERD_API_KEY=…, or keep it with: browserd config set key -';
const whoMayDoIt = 'Only keys of the role admin may do this. Ask whoever runs the service for one.';

/** What stands beside the message, for people. */
function hintFor(error: BrowserdError): string[] {
  if (error.code === 'UNAUTHENTICATED') return [whereKeysAre];
  if (error.code === 'FORBIDDEN') return [whoMayDoIt];
  if (error.code === 'CONNECTION_FAILED')
    return ['Start it with: browserd serve. Another address is given with --url or BROWSERD_URL.'];
  return [];
}

/** For the terminal; not cleaned yet. */
export function explain(error: unknown): string[] {
  if (error instanceof BrowserdError) {
    const { code, message, nextStep, requestId } = error;
    const trace = requestId ? [`request ${requestId}`] : [];
    return [`${code}: ${message}`, ...hintFor(error), [`next step: ${nextStep}`, ...trace].join(', ')];
  }
  if (error instanceof Failure) return [error.message];
  if (!(error instanceof Error)) return [String(error)];
  // The file system's own words are meant for people; anything else is a fault of ours and shows where.
  return [(error as NodeJS.ErrnoException).syscall ? error.message : (error.stack ?? error.message)];
}

/** For programs, with `--json`. */
export function errorDocument(error: unknown): object {
  if (error instanceof BrowserdError) {
    const { code, message, category, nextStep, details, status } = error;
    const stack = (error as Partial<ScriptError>).scriptStack;
    return { error: { code, message, category, nextStep, details, status, ...(stack && { stack }) } };
  }
  const code = exitCodeOf(error) === exitCodes.usage ? 'WRONG_USAGE' : 'FAILED';
  return { error: { code, message: explain(error).join('\n') } };
}
