/**
 * How a WebSocket ends, in the words of the error table: the reason of the close frame is `CODE: what happened`.
 * Codes from 4000 on are ours; of the others only those that the service sends by itself are listed.
 */
import { type ErrorCode, errorTable, type NextStep } from '../../errors.ts';

interface Closing {
  error?: ErrorCode;
  nextStep?: NextStep;
  what: string;
}

export const closings = {
  1000: { what: 'the client asked for it (`Browser.close`), or its page was closed; the browser goes on' },
  1001: { error: 'SERVICE_SHUTTING_DOWN', what: 'the service is stopping; connect again shortly' },
  1009: { error: 'PAYLOAD_TOO_LARGE', what: 'a message was larger than 100 MiB' },
  1012: {
    error: 'NODE_LOST',
    nextStep: 'retry',
    what: 'the browser moves to another machine; connect again to the same address',
  },
  4000: {
    error: 'BROWSER_NOT_READY',
    nextStep: 'resume_browser',
    what: 'the browser was stopped; resume it and connect again',
  },
  4001: { error: 'BROWSER_NOT_READY', nextStep: 'create_browser', what: 'the browser was closed' },
  4002: { error: 'BROWSER_CRASHED', what: 'Chromium ended and is being recovered; connect again' },
  4003: { nextStep: 'retry', what: 'the client did not read what it was sent' },
  4004: {
    error: 'UNAUTHENTICATED',
    what: 'the key in whose name the client was connected was revoked or has expired',
  },
  4005: { error: 'TAB_NOT_FOUND', what: 'the one tab that this address shows was closed' },
} as const satisfies Record<number, Closing>;

export type CloseCode = keyof typeof closings;

/** At most 123 bytes, as the protocol has it. */
export function closeReason(code: number): string | undefined {
  const closing: Closing | undefined = (closings as Record<number, Closing>)[code];
  if (!closing) return undefined;
  return closing.error ? `${closing.error}: ${closing.what}` : closing.what;
}

/** For the description of a socket's route. */
export const closingsTable = (): string =>
  [
    '| close code | reason | next step |',
    '|---|---|---|',
    ...Object.entries(closings as Record<number, Closing>).map(([code, { error, nextStep }]) => {
      const step = nextStep ?? (error && errorTable[error].nextStep);
      return `| ${code} | ${closeReason(Number(code))} | ${step ? `\`${step}\`` : ''} |`;
    }),
  ].join('\n');
