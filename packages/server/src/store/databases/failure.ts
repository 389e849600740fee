/**
 * What a failure of the database means, and what the operator can do about it. Everything else that a driver throws is
 * a bug of this code and passes through unchanged.
 */
import { ApiError } from '../../errors.ts';

export interface Failure {
  error: ApiError;
  /** Nothing was done, and another attempt soon is likely to work. */
  passing: boolean;
}

const locked =
  'Another process holds the database locked. Try again; if it stays so, end what has the file open.';
const notWritable =
  'The database file cannot be opened or written. Check that it exists and that the user of the service owns it.';
const damaged = 'The database file is damaged or is no database. Restore it from a backup, or move it away.';

/** By primary result code: https://www.sqlite.org/rescode.html */
const sqliteMessages: Record<number, string> = {
  3: notWritable,
  5: locked,
  6: locked,
  7: 'The database is out of memory. Give the service more, then try again.',
  8: notWritable,
  10: 'The disk of the database fails to read or write. Check the disk and its free space.',
  11: damaged,
  13: 'The disk of the database is full. Free some space on it, then try again.',
  14: notWritable,
  15: locked,
  26: damaged,
};

const unreachable =
  'The database server cannot be reached. Check that it runs and that BROWSERD_DATABASE_URL names it, then try again.';
const refused = 'The database server refused the user or the database of BROWSERD_DATABASE_URL. Check both.';
const conflict = 'The database is too busy with changes of the same records. Try again.';
export const tooSlow =
  'The database took too long. Look for long transactions and load on its server, then try again.';
const readOnly =
  'The database server takes no changes now (standby, or read only). Point the service at the primary.';
const lackingResources =
  'The database server is out of connections, memory or disk space. Make room there, then try again.';

/** By SQLSTATE, whole or its class: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const postgresMessages: Record<string, string> = {
  '40001': conflict,
  '40P01': conflict,
  '55P03': conflict,
  '57014': tooSlow,
  '25P03': tooSlow,
  '25006': readOnly,
  '3D000': refused,
  '08': unreachable,
  '28': refused,
  '53': lackingResources,
  '57': unreachable,
  '58': 'The database server has a disk or system error. Look at its log.',
};

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EACCES',
]);

/** The drivers give these no code. */
const networkWords =
  /^(timeout exceeded when trying to connect|connection terminated|client has encountered|query read timeout)/i;
const closedWords = /driver has already been destroyed|database is not open|after calling end on the pool/;

const nulCharacter = 'A text has the character U+0000, which the database cannot keep. Remove it.';

export function failureOf(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code, errcode } = thrown as { code?: unknown; errcode?: unknown };
  const unavailable = (message: string, passing = false): Failure => ({
    error: new ApiError('STORE_UNAVAILABLE', message, { cause: thrown }),
    passing,
  });
  if (closedWords.test(thrown.message))
    return unavailable('The database is closed: the service is stopping.');
  if (typeof errcode === 'number') {
    const message = sqliteMessages[errcode & 0xff];
    return message === undefined ? undefined : unavailable(message, message === locked);
  }
  if (networkWords.test(thrown.message)) return unavailable(unreachable);
  if (typeof code !== 'string') return undefined;
  if (code === '22021')
    return { error: new ApiError('VALIDATION_FAILED', nulCharacter, { cause: thrown }), passing: false };
  if (networkCodes.has(code)) return unavailable(unreachable);
  const message = /^[0-9A-Z]{5}$/.test(code)
    ? (postgresMessages[code] ?? postgresMessages[code.slice(0, 2)])
    : undefined;
  return message === undefined ? undefined : unavailable(message, message === conflict);
}
