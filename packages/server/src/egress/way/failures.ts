/** The ways in which a connection fails. The first three are told to Chromium and to the observer of the exit. */
import type { Rule } from '../policy/policy.ts';
import type { NetError } from './net-error.ts';

/** What is thrown on purpose; everything else is an error of the network or a fault. */
export class Failure extends Error {}

/** The policy refuses it. */
export class Refused extends Failure {
  readonly rule: Rule;
  readonly address: string | undefined;

  constructor(rule: Rule, address?: string) {
    super(`refused: ${rule}`);
    this.name = 'Refused';
    this.rule = rule;
    this.address = address;
  }
}

const usualError: Record<Unreachable['word'], NetError> = {
  dns: 'ERR_NAME_NOT_RESOLVED',
  connect: 'ERR_CONNECTION_FAILED',
  timeout: 'ERR_CONNECTION_TIMED_OUT',
  answer: 'ERR_EMPTY_RESPONSE',
  upstream: 'ERR_TUNNEL_CONNECTION_FAILED',
};

/** The policy allows it, the network fails. */
export class Unreachable extends Failure {
  readonly word: 'dns' | 'connect' | 'timeout' | 'answer' | 'upstream';
  readonly netError: NetError;

  constructor(word: Unreachable['word'], message: string, netError: NetError = usualError[word]) {
    super(message);
    this.name = 'Unreachable';
    this.word = word;
    this.netError = netError;
  }
}

/** What an observer gets about a refusal. */
export interface Refusal {
  /** scheme://host:port; the full URL of a plain request. */
  url: string;
  host: string;
  port: number;
  address?: string;
  rule: string;
}

export const refusalOf = (
  { rule, address }: Refused,
  url: string,
  { host, port }: { host: string; port: number },
): Refusal => ({ url, host, port, ...(address !== undefined && { address }), rule });

/** The upstream proxy itself fails; what it answers about the target is `Unreachable('upstream')`. */
export class UpstreamFailed extends Failure {
  readonly code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH_FAILED';
  readonly netError: NetError;
  /** Set when the policy forbids the address of the upstream. */
  readonly refusal: Refusal | undefined;

  constructor(code: UpstreamFailed['code'], message: string, refusal?: Refusal) {
    super(message);
    this.name = 'UpstreamFailed';
    this.code = code;
    this.netError =
      code === 'PROXY_UNREACHABLE' ? 'ERR_PROXY_CONNECTION_FAILED' : 'ERR_INVALID_AUTH_CREDENTIALS';
    this.refusal = refusal;
  }
}

/** No client is left to answer: the browser hung up, or the exit closes. */
export class Gone extends Failure {
  constructor() {
    super('nobody waits for this connection any more');
    this.name = 'Gone';
  }
}

/** The attempt is void but may be made again: the settings changed meanwhile, or a kept connection had just ended. */
export class TryAgain extends Failure {
  constructor() {
    super('the attempt has to be made again');
    this.name = 'TryAgain';
  }
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
