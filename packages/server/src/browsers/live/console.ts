/**
 * Errors that pages log, and exceptions they do not catch. Chromium tells of both only while `Runtime` is on for a
 * page, and then it tells of every line of the console: that costs a page that writes thousands of lines far more than
 * it costs one that writes none (`npm run bench -- console`). So a page that floods its console is listened to again
 * only when it shows its next document. Frames in processes of their own are heard where the service is attached to
 * them at all.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import type { Watchers } from './watchers.ts';

const linesHeard = 250;
const windowMs = 10_000;
const longestText = 1000;
const lineWindow = (): FloodWindow => new FloodWindow(linesHeard, windowMs);

interface Heard {
  /** The target it is attached to. */
  own: string;
  /** The page it belongs to. */
  targetId: string;
  lines: FloodWindow;
  quiet: boolean;
}

/** Before anything else listens for targets: it must be on before a page is let run. */
export function watchConsole(cdp: Cdp, watchers: Watchers): void {
  const sessions = new Map<string, Heard>();
  const turn = (on: boolean, sessionId: string): void =>
    void cdp.send(on ? 'Runtime.enable' : 'Runtime.disable', undefined, { sessionId }).catch(() => undefined);

  const hear = (sessionId: string | undefined): Heard | undefined => {
    const heard = sessions.get(sessionId ?? '');
    if (!heard || heard.quiet) return undefined;
    if (heard.lines.admits()) return heard;
    heard.quiet = true;
    turn(false, sessionId ?? '');
    const text =
      'The page writes so much to its console that its errors are told only after its next navigation.';
    watchers.tell('consoleError', { targetId: heard.targetId, kind: 'quieted', text });
    return undefined;
  };

  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }, parent) => {
    if (targetInfo.type !== 'page' && targetInfo.type !== 'iframe') return;
    // Second sessions of the service hear the same again, and old lines once more; so does all below them.
    const isSecond = [...sessions.values()].some((each) => each.own === targetInfo.targetId);
    if (isSecond || (parent ? !sessions.has(parent) : targetInfo.type === 'iframe')) return;
    const targetId = sessions.get(parent ?? '')?.targetId ?? targetInfo.targetId;
    sessions.set(sessionId, { own: targetInfo.targetId, targetId, lines: lineWindow(), quiet: false });
    turn(true, sessionId);
  });
  cdp.on('Target.detachedFromTarget', ({ sessionId }) => sessions.delete(sessionId));
  cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
    const heard = sessions.get(sessionId ?? '');
    if (!heard?.quiet || frame.parentId) return;
    Object.assign(heard, { quiet: false, lines: lineWindow() });
    turn(true, sessionId ?? '');
  });
  cdp.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }, sessionId) => {
    const heard = hear(sessionId);
    if (!heard || (type !== 'error' && type !== 'assert')) return;
    const text = clip(args.map(textOf).join(' '));
    watchers.tell('consoleError', {
      targetId: heard.targetId,
      kind: 'logged',
      text,
      ...placeOf(stackTrace?.callFrames[0]),
    });
  });
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }, sessionId) => {
    const heard = hear(sessionId);
    if (!heard) return;
    const { exception, text } = exceptionDetails;
    const what = clip(exception ? textOf(exception) : text);
    watchers.tell('consoleError', {
      targetId: heard.targetId,
      kind: 'uncaught',
      text: what,
      ...placeOf(exceptionDetails),
    });
  });
}

const clip = (text: string): string => text.slice(0, longestText);

/** What the console would show of a value: a string as it is, an object by its description. */
const textOf = ({ value, unserializableValue, description, type }: Protocol.Runtime.RemoteObject): string =>
  typeof value === 'string' ? value : (description ?? unserializableValue ?? JSON.stringify(value) ?? type);

/** Chromium counts lines and columns from 0, people from 1. */
const placeOf = (place: { url?: string; lineNumber: number; columnNumber: number } | undefined) =>
  place?.url ? { url: clip(place.url), line: place.lineNumber + 1, column: place.columnNumber + 1 } : {};
