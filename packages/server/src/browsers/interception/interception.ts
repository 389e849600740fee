/**
 * The rules of one Chromium's owner for what its pages ask the network. Chromium's own session of the whole browser stops
 * every request that a rule could be about, of pages, frames and workers alike, from their first one on; the sessions of pages
 * are left alone, so CDP clients intercept there as they like, and rules are asked for what they let through.
 *
 *   page ──> a client's own interception ──> rules ──> Chromium's network ──> exit, with its policy
 *
 * Rules are asked only for what the policy allows: the rest goes on to the exit, which refuses it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import { judgeByName } from '../../egress/egress.ts';
import type { Policy } from '../record/policy-schema.ts';
import type { RequestRule, RuleHits } from '../record/rule-schema.ts';
import { answerOf, changedHeaders, type FileBody, redirectTo } from './answers.ts';
import { type Asked, askedBy } from './asked.ts';
import type { FilterLists } from './filter-lists.ts';
import { reachOpenTargets } from './open-targets.ts';
import { patternsFor } from './patterns.ts';
import { type Applying, closedHosts, isEnd, RuleSet } from './rule-set.ts';

export { FilterLists } from './filter-lists.ts';
export { RuleFiles, refuseFiles } from './rule-files.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;

export interface InterceptionParts {
  cdp: Cdp;
  /** Whether a frame is the outermost one of a page. */
  isPage(frameId: string): boolean;
  lists: FilterLists;
}

interface State {
  /** Tells whether the next policy says the same. */
  key: string;
  rules: RuleSet;
  changes: { index: number; action: Extract<RequestRule['do'], { action: 'headers' }> }[];
  hits: number[];
  /** Names of filter lists, and how often each of them blocked. */
  lists: Map<string, number>;
  files: Map<string, Promise<FileBody | undefined>>;
  refusal: ReturnType<typeof judgeByName>;
}

/** Requests that are held back at one time; beyond that they are let go at once. */
const mostHeld = 500;
const mostDelayMs = 60_000;
/** Frames whose documents are known. */
const mostDocuments = 1000;

/** For the exit: what rules close altogether it refuses, WebSockets included. */
export function policyOfExit(policy: Policy): Policy {
  const closed = closedHosts(policy.rules ?? []);
  return closed.length > 0
    ? { ...policy, blockedDomains: [...(policy.blockedDomains ?? []), ...closed] }
    : policy;
}

export const isIntercepting = ({ rules = [], lists = [] }: Policy): boolean =>
  rules.length + lists.length > 0;

export class Interception {
  readonly #parts: InterceptionParts;
  readonly #documents = new Map<string, string>();
  readonly #ended = new AbortController();
  #state: State | undefined;
  #held = 0;
  #files: ((fileId: string) => Promise<FileBody | undefined>) | undefined;

  constructor(parts: InterceptionParts) {
    this.#parts = parts;
    parts.cdp.on('Fetch.requestPaused', (paused, sessionId) => {
      if (sessionId === undefined) void this.#decide(paused).catch(() => undefined);
    });
    parts.cdp.onEnd(() => this.#ended.abort());
  }

  /** From where rules may answer with files. */
  answerWith(files: (fileId: string) => Promise<FileBody | undefined>): void {
    this.#files = files;
  }

  hits(): RuleHits | undefined {
    if (!this.#state) return undefined;
    const { hits, lists } = this.#state;
    return { rules: [...hits], ...(lists.size > 0 && { lists: Object.fromEntries(lists) }) };
  }

  /** Resolves when it holds, in what is open already, too. */
  async set(policy: Policy): Promise<void> {
    const { cdp } = this.#parts;
    const before = this.#state;
    const { rules = [], lists = [] } = policy;
    const key = JSON.stringify([rules, lists]);
    if (!isIntercepting(policy)) {
      this.#state = undefined;
      if (before) await cdp.send('Fetch.disable');
      return;
    }
    const refusal = judgeByName(policy);
    if (before?.key === key) {
      before.refusal = refusal;
      return;
    }
    this.#state = {
      key,
      refusal,
      rules: new RuleSet(rules),
      changes: rules.flatMap(({ do: action }, index) =>
        action.action === 'headers' ? [{ index, action }] : [],
      ),
      hits: rules.map(() => 0),
      lists: new Map(lists.map((name) => [name, 0])),
      files: new Map(),
    };
    await cdp.send('Fetch.enable', { patterns: patternsFor(policy) });
    if (!before) await reachOpenTargets(cdp);
  }

  async #decide(paused: Paused): Promise<void> {
    const state = this.#state;
    const asked = state && this.#asked(paused);
    if (!state || !asked || state.refusal(asked.parsed) !== undefined) {
      await this.#goOn(paused, []);
      return;
    }
    const applying = state.rules.for(asked);
    for (const { index } of applying) state.hits[index] = (state.hits[index] ?? 0) + 1;
    if (this.#isListed(state, asked, applying.at(-1))) {
      const { requestId } = paused;
      await this.#parts.cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      return;
    }
    await this.#hold(applying);
    await this.#end(paused, state, applying);
  }

  /** Lists are asked for what no rule has ended. */
  #isListed({ lists }: State, asked: Asked, last: Applying | undefined): boolean {
    if (lists.size === 0 || (last && isEnd(last))) return false;
    const name = this.#parts.lists.blocking([...lists.keys()], asked);
    if (name !== undefined) lists.set(name, (lists.get(name) ?? 0) + 1);
    return name !== undefined;
  }

  #asked(paused: Paused): Asked | undefined {
    const { frameId, resourceType } = paused;
    const isDocument = resourceType === 'Document';
    const isPage = isDocument && this.#parts.isPage(frameId);
    const asked = askedBy(paused, {
      isPage,
      document: isDocument ? undefined : this.#documents.get(frameId),
    });
    if (isDocument && asked) {
      this.#documents.delete(frameId);
      this.#documents.set(frameId, asked.parsed.origin);
      const [oldest = ''] = this.#documents.keys();
      if (this.#documents.size > mostDocuments) this.#documents.delete(oldest);
    }
    return asked;
  }

  async #hold(applying: readonly Applying[]): Promise<void> {
    const ms = applying.reduce((sum, { action }) => sum + (action.action === 'delay' ? action.ms : 0), 0);
    if (ms === 0 || this.#held >= mostHeld) return;
    this.#held++;
    try {
      await sleep(Math.min(ms, mostDelayMs), undefined, { ref: false, signal: this.#ended.signal });
    } finally {
      this.#held--;
    }
  }

  async #end(paused: Paused, state: State, applying: readonly Applying[]): Promise<void> {
    const { cdp } = this.#parts;
    const { requestId } = paused;
    const last = applying.at(-1)?.action;
    switch (last?.action) {
      case 'block':
        return cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      case 'fail':
        return cdp.send('Fetch.failRequest', { requestId, errorReason: reasonOf(last.error) });
      case 'redirect':
        return cdp.send('Fetch.fulfillRequest', redirectTo(paused, last.url));
      case 'respond': {
        const file = last.fileId === undefined ? undefined : await this.#file(state, last.fileId);
        if (last.fileId !== undefined && !file)
          return cdp.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
        return cdp.send('Fetch.fulfillRequest', answerOf(paused, last, file));
      }
      default:
        return this.#goOn(paused, applying);
    }
  }

  async #goOn(paused: Paused, applying: readonly Applying[]): Promise<void> {
    const all = this.#state?.changes ?? [];
    const changes = all.filter(({ index }) => applying.some((each) => each.index === index));
    const left = all.filter((change) => !changes.includes(change));
    const headers = changedHeaders(
      paused,
      changes.map(({ action }) => action),
      left.map(({ action }) => action),
    );
    await this.#parts.cdp.send('Fetch.continueRequest', { requestId: paused.requestId, headers });
  }

  /** Read once for each change of the rules; one that could not be read is looked for again. */
  #file({ files }: State, fileId: string): Promise<FileBody | undefined> {
    const read =
      files.get(fileId) ?? this.#files?.(fileId).catch(() => undefined) ?? Promise.resolve(undefined);
    files.set(fileId, read);
    void read.then((file) => !file && files.delete(fileId));
    return read;
  }
}

/** `timedOut` is `TimedOut` to Chromium. */
const reasonOf = (error: string): Protocol.Network.ErrorReason =>
  (error.charAt(0).toUpperCase() + error.slice(1)) as Protocol.Network.ErrorReason;
