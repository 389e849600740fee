/**
 * Requests that another node has passed on. They are known by the listener they came in by, never by a header, which every
 * client can send.
 */
import type { IncomingMessage } from 'node:http';

/** The boot that each is meant for. */
const passedOn = new WeakMap<IncomingMessage, string>();

export const notePassedOn = (request: IncomingMessage, bootId: string): void =>
  void passedOn.set(request, bootId);

/** Which boot the other node wanted to reach; undefined for a request that came from its caller. */
export const meantFor = (request: IncomingMessage): string | undefined => passedOn.get(request);

/** Says to the other node, in the answer to a request it passed on, which error it is. */
export const codeHeader = 'x-browserd-error';
