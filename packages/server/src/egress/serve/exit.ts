/**
 * What all connections of one browser share: the current settings, the sockets, the observer of what happens.
 *
 *   admit(target) ── the gate of this node, then name rules, before anything is opened
 *   open(settings, way) ── one attempt with a deadline; void if the settings changed before it stood
 *   change(settings) ── cuts every conversation that the new settings would not have let begin
 */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Share } from '../../kit/loop-share.ts';
import { decideHost, isBackgroundHost, showTarget, type Target } from '../policy/policy.ts';
import { Turnstile, type Voucher } from '../vouch/vouch.ts';
import {
  describeUpstream,
  type Gate,
  Gone,
  isStillAllowed,
  type NetError,
  type Network,
  type Refusal,
  Refused,
  refusalOf,
  type Settings,
  TryAgain,
  Unreachable,
  UpstreamFailed,
  upstreamFor,
} from '../way/way.ts';
import { Outcomes } from './outcomes.ts';
import { type Answer, answerFor } from './reply.ts';

export interface ExitObserver {
  onRefused?: ((refusal: Refusal) => void) | undefined;
  /** The policy allowed it, the network did not. */
  onUnreachable?: ((failure: { host: string; netError: NetError; message: string }) => void) | undefined;
  onActivity?: (() => void) | undefined;
  onUpstreamFailure?: ((failure: { code: UpstreamFailed['code']; message: string }) => void) | undefined;
}

/** A tunnel, or a plain request with its answer, once it is connected. */
export interface Conversation {
  target: Target;
  under: Settings;
  remote: Socket;
  cut: () => void;
  /** The exit speaks for the site, or is about to. */
  vouched?: boolean;
}

const openMs = 20_000;
const activityMs = 250;

/** Loop time, as measured: of one request with its connection, and of carrying a chunk on. */
const requestCostMs = 0.3;
/** Of the two handshakes of a connection on which the exit speaks for the site. */
const handshakesCostMs = 3;
const mostHandshakes = 8;
const chunkCostMs = (bytes: number): number => 0.03 + bytes / 1_500_000;

/** A copy: a slice would keep all of a long address in memory. */
const cut = (url: string): string => Buffer.from(url.slice(0, 2048)).toString();

export class Exit {
  readonly network: Network;
  readonly outcomes = new Outcomes();
  /** Absent: it vouches for no site. */
  readonly voucher: Voucher | undefined;
  /** Clients that are not Chromium: they would not take the voucher's word. */
  readonly otherClients = new WeakSet<object>();
  readonly #handshakes = new Turnstile(mostHandshakes);
  refused = 0;
  #settings: Settings | undefined;
  readonly #conversations = new Set<Conversation>();
  readonly #opening = new Set<AbortController>();
  readonly #observer: ExitObserver;
  readonly #share: () => Share;
  readonly #silent: boolean;
  #lastActivity = Number.NEGATIVE_INFINITY;

  /** `silent`: calls to hosts that serve nothing but Chromium itself are refused without a word. */
  constructor(
    network: Network,
    observer: ExitObserver,
    share: () => Share,
    { silent, voucher }: { silent: boolean; voucher?: Voucher | undefined },
  ) {
    this.voucher = voucher;
    this.network = network;
    this.#observer = observer;
    this.#share = share;
    this.#silent = silent;
  }

  /** A request waits here while its project is over its share of the loop. */
  turn(): Promise<void> {
    return this.#share().turn(requestCostMs);
  }

  /** So do handshakes, of which a browser may have a few at once. */
  async handshakes(): Promise<Disposable> {
    const entered = await this.#handshakes.enter();
    await this.#share().turn(handshakesCostMs);
    return entered;
  }

  /** Traffic of the browser's: noted, and not read on while the project is over its share of the loop. */
  pace(stream: Readable): void {
    stream.on('data', (chunk: Buffer) => {
      this.#active();
      const share = this.#share();
      share.estimate(chunkCostMs(chunk.length));
      if (!share.isOver || stream.isPaused()) return;
      stream.pause();
      share.wait(() => stream.resume());
    });
  }

  async admit(target: Target, gone: AbortSignal): Promise<Settings> {
    if (this.network.gate?.isOpen() === false) await this.#passage(this.network.gate, gone);
    if (this.#settings === undefined) throw new Refused('not_allowed_yet');
    if (isBackgroundHost(target.host)) throw new Refused('background_service');
    const rule = decideHost(this.#settings.rules, target);
    if (rule !== undefined) throw new Refused(rule);
    return this.#settings;
  }

  /** Waits while the gate is shut, as long as for a connection. */
  async #passage(gate: Gate, gone: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(openMs);
    await gate.passage(AbortSignal.any([gone, late])).catch(() => {
      throw late.aborted ? new Unreachable('timeout', 'no connection in time') : new Gone();
    });
  }

  async open(
    under: Settings,
    way: (network: Network, signal: AbortSignal) => Promise<Socket>,
    gone?: AbortSignal,
  ): Promise<Socket> {
    const stop = new AbortController();
    const leave = (): void => stop.abort(new Gone());
    const timer = setTimeout(() => stop.abort(new Unreachable('timeout', 'no connection in time')), openMs);
    this.#opening.add(stop);
    gone?.addEventListener('abort', leave, { once: true });
    if (gone?.aborted) leave();
    try {
      const socket = await way(this.network, stop.signal);
      if (under === this.#settings && !stop.signal.aborted) return socket;
      socket.destroy();
      throw stop.signal.aborted ? stop.signal.reason : new TryAgain();
    } finally {
      clearTimeout(timer);
      this.#opening.delete(stop);
      gone?.removeEventListener('abort', leave);
    }
  }

  /** From here until `end`, a change of the settings is checked against it. */
  begin(conversation: Conversation): void {
    this.#conversations.add(conversation);
    const { target, under, remote } = conversation;
    const upstream = upstreamFor(under, target.host);
    this.outcomes.reached(target, remote, upstream && describeUpstream(upstream).server);
    this.#review(conversation);
    this.#active();
  }

  end(conversation: Conversation): void {
    this.#conversations.delete(conversation);
  }

  change(settings: Settings): void {
    this.#settings = settings;
    for (const conversation of this.#conversations) this.#review(conversation);
  }

  #review({ target, under, remote, cut, vouched = false }: Conversation): void {
    const now = this.#settings;
    if (now === under) return;
    if (
      now !== undefined &&
      isStillAllowed(under, now, target, remote.remoteAddress) &&
      under.sites.allowUnder(now.sites, target, vouched)
    )
      return;
    this.outcomes.failed(target, undefined);
    cut();
  }

  /** Calls the observer and returns what to answer. `target` is absent when the request could not be read. */
  fail(error: unknown, url: string, target?: Target): Answer {
    const isOfNetwork = error instanceof Unreachable || error instanceof UpstreamFailed;
    if (target) this.outcomes.failed(target, isOfNetwork ? error.netError : undefined);
    if (error instanceof UpstreamFailed) {
      if (error.refusal) this.#report(error.refusal);
      this.#observer.onUpstreamFailure?.({ code: error.code, message: error.message });
    }
    if (error instanceof Unreachable) {
      const { netError, message } = error;
      this.#observer.onUnreachable?.({ host: target?.host ?? '', netError, message });
    }
    if (error instanceof Refused && !(this.#silent && error.rule === 'background_service')) {
      const shown = target?.scheme === 'tunnel' ? showTarget(target) : cut(url);
      this.#report(refusalOf(error, shown, target ?? { host: '', port: 0 }));
    }
    return answerFor(error);
  }

  /** Of a site that the exit looked at; what Chromium then sees of it tells less. */
  mistrust(target: Target, { netError, message }: { netError: NetError; message: string }): void {
    this.outcomes.mistrusted(target, netError);
    this.#observer.onUnreachable?.({ host: target.host, netError, message });
  }

  #report(refusal: Refusal): void {
    this.refused++;
    this.#observer.onRefused?.(refusal);
  }

  /** Called for every chunk of traffic, so the cheapest check comes first. */
  #active(): void {
    const now = performance.now();
    if (now - this.#lastActivity < activityMs) return;
    this.#lastActivity = now;
    this.#observer.onActivity?.();
  }

  shut(): void {
    this.#settings = undefined;
    for (const stop of this.#opening) stop.abort(new Gone());
  }
}
