/**
 * Why the program ends as it does. Scripts can rely on the exit code:
 *
 *   0  done                        3  the service could not be reached
 *   1  the service or the script   4  not authenticated, or not allowed
 *      refused                     130  interrupted (128 + the signal)
 *   2  wrong usage
 */
import { BrowserdError, ConnectionError, type ScriptError } from '@browserd/sdk';

export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3, forbidden: 4 } as const;

/** A failure on this side: its message is all that a person needs. */
export class Failure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const wrongUsage = (message: string): Failure => new Failure(message, exitCodes.usage);

/** A signal, or a closed output; thrown out of the work that was in progress. */
export class Interrupted extends Failure {
  constructor(exitCode: number) {
    super('Interrupted.', exitCode);
  }
}

/** The failure is already printed; only the exit code is left. */
export class AlreadyReported extends Failure {
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
const adminsOnly = 'Only keys of the role admin may do this. Ask whoever runs the service for one.';

/** Advice below the message, for people. */
function hintFor(error: BrowserdError): string[] {
  if (error.code === 'UNAUTHENTICATED') return [whereKeysAre];
  if (error.code === 'FORBIDDEN') return [adminsOnly];
  if (error.code === 'CONNECTION_FAILED')
    return ['Start it with: browserd serve. Another address is given with --url or BROWSERD_URL.'];
  return [];
}

/** Lines for the terminal; the output removes control characters. */
export function explain(error: unknown): string[] {
  if (error instanceof BrowserdError) {
    const { code, message, nextStep, requestId } = error;
    const trace = requestId ? [`request ${requestId}`] : [];
    return [`${code}: ${message}`, ...hintFor(error), [`next step: ${nextStep}`, ...trace].join(', ')];
  }
  if (error instanceof Failure) return [error.message];
  if (!(error instanceof Error)) return [String(error)];
  // Messages of the file system are meant for people; anything else is a bug, and the stack shows where.
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
