/**
 * What a caller wants to keep of a call: its trace, and the bundle of all that explains it. Both are named in the answer and in
 * the event, also of a call that was cut short.
 */
import type { Cut, CutStart, RecordingCuts, Running } from '../../browsers/browsers.ts';
import type { Log } from '../../kit/log.ts';
import { shareOf } from '../../kit/loop-share.ts';
import type { LogEntry, RunCall } from '../../runner/runner.ts';
import type { Captures } from '../capture/capture.ts';
import { defaultPicture } from '../capture/schema.ts';
import type { BundleEntry, Evidence, Kept, KeptFile, TraceSpool } from '../evidence/evidence.ts';
import { type Observations, wholePage } from '../observe/observe.ts';
import type { RunnerSession } from './runner-session.ts';
import type { Activity, ExecuteScript, Execution } from './schema.ts';

/** What is known of a call when it is over, also when it has no answer. */
export type CallEnd = Pick<Execution, 'success' | 'page'> & {
  error?: object;
  logs: readonly LogEntry[];
  activity: readonly Activity[];
  durationMs: number;
};

export type KeptOfCall = Pick<Execution, 'trace' | 'bundle'>;

interface EvidenceParts {
  evidence: Evidence;
  captures: Pick<Captures, 'take'>;
  observations: Pick<Observations, 'whole'>;
  cuts: Pick<RecordingCuts, 'start' | 'take'>;
  log: Log;
}

const wholeTrace = { snapshots: true, screenshots: true, sources: true };
/** How long a page may take to be looked at for the bundle. */
const lookMs = 10_000;
const mostHarBytes = 8 * 1024 ** 2;
const cutName = 'recording.webm';

export class CallEvidence implements AsyncDisposable {
  readonly #parts: EvidenceParts;
  readonly #running: Running;
  readonly #request: ExecuteScript;
  readonly #spool: TraceSpool | undefined;
  /** The last request before the call. */
  readonly #lastSeq: number;
  /** Where the recording of the browser was, if it has one. */
  readonly #cutStart: CutStart | undefined;

  private constructor(
    parts: EvidenceParts,
    session: RunnerSession,
    request: ExecuteScript,
    spool?: TraceSpool,
  ) {
    this.#parts = parts;
    this.#running = session.running;
    this.#request = request;
    this.#spool = spool;
    this.#lastSeq = session.running.live.network.lastSeq;
    this.#cutStart = parts.cuts.start(session.running.id);
  }

  static async open(
    parts: EvidenceParts,
    session: RunnerSession,
    request: ExecuteScript,
  ): Promise<CallEvidence> {
    if (!request.trace) return new CallEvidence(parts, session, request);
    const spool = await parts.evidence.openSpool().catch((error: unknown) => {
      parts.log.warn({ err: error, browserId: session.running.id }, 'script.trace_failed');
      return undefined;
    });
    return new CallEvidence(parts, session, request, spool);
  }

  /** What the runner is asked to record, and where to. */
  get recording(): RunCall['trace'] {
    const { trace } = this.#request;
    const spool = this.#spool;
    if (!trace || !spool) return undefined;
    const asked = trace === true ? wholeTrace : trace;
    return { ...asked, maxBytes: spool.maxBytes, onStream: (stream) => spool.take(stream) };
  }

  /** After the runner has answered or is gone. */
  async keep(end: CallEnd): Promise<KeptOfCall> {
    const { trace, capture } = this.#request;
    const when = capture ? capture.bundle : undefined;
    const wantsBundle = when === 'always' || (when === 'error' && !end.success);
    if (!trace && !wantsBundle) return {};
    const { projectId, id: browserId } = this.#running;
    const owner = { projectId, browserId };
    const { evidence, cuts } = this.#parts;
    // First: it is made while the rest is gathered.
    const cutting = wantsBundle ? cuts.take(this.#running, this.#cutStart) : undefined;
    const unstored: Kept = { omitted: 'It could not be stored.' };
    const made: KeptFile = this.#spool ? await evidence.keepTrace(owner, this.#spool) : unstored;
    const bundle = async (): Promise<Kept> => {
      const entries = await this.#entries(end, cutting);
      if (made.record) entries.push({ name: 'trace.zip', file: made.record });
      return evidence.keepBundle(owner, entries).catch(() => unstored);
    };
    return {
      ...(trace && { trace: named(made) }),
      ...(wantsBundle && { bundle: named(await bundle()) }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spool?.[Symbol.asyncDispose]();
  }

  /** One row for each thing that explains a run. */
  async #entries(end: CallEnd, cutting: Promise<Cut | undefined> | undefined): Promise<BundleEntry[]> {
    const { success, page, durationMs, error, logs, activity } = end;
    const har = await this.#har();
    const looks = await this.#looks(page?.tabId);
    const cut = await cutting;
    const { video, recordingId: id, ...span } = cut ?? {};
    const recording = cut && { id, ...span, ...(video && { file: cutName }) };
    const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
    const console = activity.filter(({ type }) => type === 'console_error');
    return [
      {
        name: 'call.json',
        data: json({ browserId: this.#running.id, success, page, durationMs, recording }),
      },
      { name: 'script.ts', data: this.#request.code, isOwn: true },
      { name: 'logs.txt', data: logs.map(({ at, level, text }) => `${at} ${level} ${text}\n`).join('') },
      ...(error ? [{ name: 'error.json', data: json(error) }] : []),
      { name: 'activity.json', data: json(activity) },
      { name: 'console.json', data: json(console) },
      { name: 'network.har', data: har },
      ...looks,
      ...(video ? [{ name: cutName, data: video }] : []),
    ];
  }

  /** Of the requests that began during the call. */
  #har(): Promise<string> {
    const { live, projectId } = this.#running;
    return live.network.har(
      { afterSeq: this.#lastSeq },
      {
        bodies: 'none',
        maxBytes: mostHarBytes,
        // Secrets are masked as the bundle is packed, like in its other entries.
        mask: (json) => json,
        share: shareOf(projectId),
      },
    );
  }

  /** What the page shows; nothing where it cannot be looked at any more. */
  async #looks(tabId: string | undefined): Promise<BundleEntry[]> {
    const { left, live } = this.#running;
    if (!tabId || left.aborted || live.dialogs.waiting(tabId).length > 0) return [];
    const asked = { ...wholePage, timeoutMs: lookMs };
    const seen = await this.#parts.observations.whole(this.#running, tabId, asked).catch(() => undefined);
    const picture = await this.#parts.captures
      .take(this.#running, tabId, defaultPicture, left)
      .catch(() => undefined);
    return [
      ...(seen !== undefined ? [{ name: 'page.txt', data: seen }] : []),
      ...(picture ? [{ name: `screenshot.${defaultPicture.format}`, data: picture }] : []),
    ];
  }
}

const named = ({ fileId, omitted }: Kept): Kept => (fileId ? { fileId } : { omitted });

/** For events. */
export const filesOf = ({ trace, bundle }: KeptOfCall): Record<string, string | undefined> => ({
  traceFileId: trace?.fileId,
  bundleFileId: bundle?.fileId,
});
