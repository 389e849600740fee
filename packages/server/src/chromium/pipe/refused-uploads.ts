/**
 * Says no to uploads in a way that Playwright passes on. When `DOM.setFileInputFiles` is refused, its `setInputFiles` looks
 * for the element anew and tries again, until its time is over, and tells of that alone; only an exception in the page ends
 * it. So a client that repeats the upload gets the refusal once more as the exception of the look that it repeats:
 *
 *   look, upload ──> refused ──> look, upload ──> refused ──> look ──> exception: the refusal
 *
 * A client that does not try again, as Puppeteer, never gets there.
 */
import type { Command } from './command.ts';

interface Refusal {
  files: string;
  message: string;
  at: number;
  /** What the client asked of the page since the first refusal. */
  asked: Set<string>;
  repeated: boolean;
}

/** Playwright waits half a second at most before it tries again. */
const repeatWithinMs = 3000;
const mostAsked = 20;
const longestAsked = 50_000;

export class RefusedUploads {
  readonly #refusals = new Map<string, Refusal>();

  refused(sessionId: string, files: unknown, message: string): void {
    const named = JSON.stringify(files) ?? '';
    const before = this.#of(sessionId);
    const repeated = before?.files === named;
    const asked = repeated ? before.asked : new Set<string>();
    this.#refusals.set(sessionId, { files: named, message, at: performance.now(), asked, repeated });
  }

  /** What this command is answered with in the place of Chromium's answer, if it is. */
  answerTo({ method, params, sessionId = '' }: Command): object | undefined {
    if (this.#refusals.size === 0 || method !== 'Runtime.callFunctionOn') return undefined;
    const refusal = this.#of(sessionId);
    if (!refusal) return undefined;
    const question = JSON.stringify(params);
    if (refusal.repeated && refusal.asked.has(question)) {
      this.#refusals.delete(sessionId);
      return thrown(refusal.message);
    }
    if (refusal.asked.size < mostAsked && question.length < longestAsked) refusal.asked.add(question);
    return undefined;
  }

  forget(sessionId: string): void {
    this.#refusals.delete(sessionId);
  }

  #of(sessionId: string): Refusal | undefined {
    const refusal = this.#refusals.get(sessionId);
    if (!refusal || performance.now() - refusal.at < repeatWithinMs) return refusal;
    this.#refusals.delete(sessionId);
    return undefined;
  }
}

function thrown(message: string): object {
  const error = { type: 'object', subtype: 'error', className: 'Error', description: `Error: ${message}` };
  const place = { exceptionId: 0, lineNumber: 0, columnNumber: 0 };
  return { result: error, exceptionDetails: { ...place, text: 'Uncaught', exception: error } };
}
