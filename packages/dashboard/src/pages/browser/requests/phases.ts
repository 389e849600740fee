/**
 * The parts of the time that a request took, as spans on one axis:
 *
 *   other │ blocked │ connect │ TLS │ send │ wait │ receive
 *
 * `connect` of the log has the TLS handshake in it. What Chromium accounts to no part (a request that is held back by a
 * rule, or that waits for its turn) stands at the beginning, where nearly all of it is spent.
 */
import type { api } from '@browserd/sdk';

export const phaseNames = {
  other: 'Queued',
  blocked: 'Blocked',
  connect: 'Connect',
  tls: 'TLS',
  send: 'Send',
  wait: 'Wait for the answer',
  receive: 'Receive',
} as const;
export type PhaseName = keyof typeof phaseNames;

export interface Phase {
  name: PhaseName;
  /** Milliseconds since the request began. */
  from: number;
  ms: number;
}

/** Without their gaps; none where the log has no times of the parts. */
export function phasesOf({ timing, durationMs }: api.NetworkRequest): Phase[] {
  if (!timing || durationMs === undefined) return [];
  const known = (ms: number): number => Math.max(0, ms);
  const tls = known(timing.tls);
  const parts: [PhaseName, number][] = [
    ['blocked', known(timing.blocked)],
    ['connect', Math.max(0, known(timing.connect) - tls)],
    ['tls', tls],
    ['send', known(timing.send)],
    ['wait', known(timing.wait)],
    ['receive', known(timing.receive)],
  ];
  const told = parts.reduce((sum, [, ms]) => sum + ms, 0);
  const all: [PhaseName, number][] = [['other', Math.max(0, durationMs - told)], ...parts];
  let from = 0;
  return all.flatMap(([name, ms]) => {
    const phase = { name, from, ms };
    from += ms;
    return ms > 0 ? [phase] : [];
  });
}
