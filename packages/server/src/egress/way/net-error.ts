/**
 * What Chromium would call a failure if it had dialled the site itself. It sees only that its proxy gave it nothing;
 * those who read its words are told the true reason under the name that they know.
 */
export type NetError = `ERR_${string}`;

const ofSystem: Record<string, NetError> = {
  EACCES: 'ERR_NETWORK_ACCESS_DENIED',
  EADDRNOTAVAIL: 'ERR_ADDRESS_INVALID',
  EAFNOSUPPORT: 'ERR_ADDRESS_UNREACHABLE',
  ECONNABORTED: 'ERR_CONNECTION_ABORTED',
  ECONNREFUSED: 'ERR_CONNECTION_REFUSED',
  ECONNRESET: 'ERR_CONNECTION_RESET',
  EHOSTDOWN: 'ERR_ADDRESS_UNREACHABLE',
  EHOSTUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  ENETDOWN: 'ERR_INTERNET_DISCONNECTED',
  ENETRESET: 'ERR_CONNECTION_RESET',
  ENETUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  EPIPE: 'ERR_CONNECTION_RESET',
  ETIMEDOUT: 'ERR_CONNECTION_TIMED_OUT',
};

const errnoOf = (error: unknown): NodeJS.ErrnoException => (error ?? {}) as NodeJS.ErrnoException;

/** Of a connection that did not come about. */
export const dialError = (error: unknown): NetError =>
  ofSystem[errnoOf(error).code ?? ''] ?? 'ERR_CONNECTION_FAILED';

/** Of a connection on which no answer came, or none that can be read. */
export function answerError(error: unknown): NetError {
  const { code = '', syscall } = errnoOf(error);
  if (code === 'HPE_HEADER_OVERFLOW') return 'ERR_RESPONSE_HEADERS_TOO_BIG';
  if (code.startsWith('HPE_')) return 'ERR_INVALID_HTTP_RESPONSE';
  // Node calls it ECONNRESET as well when the site has just ended the connection; only a reset comes from a system call.
  return (syscall === undefined ? undefined : ofSystem[code]) ?? 'ERR_EMPTY_RESPONSE';
}

/** Families or addresses that this machine does not have: another address of the same name tells more. */
const ofMachine = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'];

/** Of several addresses, the failure of the last one that could be tried at all. */
export const tellingError = (errors: readonly Error[]): Error | undefined =>
  errors.findLast((error) => !ofMachine.includes(errnoOf(error).code ?? '')) ?? errors.at(-1);
