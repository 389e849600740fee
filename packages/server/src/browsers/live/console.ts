/**
 * Errors that pages log, and exceptions they do not catch. Chromium reports both only while `Runtime` is on for a
 * page, and then it reports every line of the console: that costs a page that writes thousands of lines far more than
 * it costs one that writes none (`npm run bench -- console`). So of a page that floods its console nothing is read
 * until it shows its next document. Frames in processes of their own are read where the service is attached to them
 * at all.
 */
import type { Protocol } from 'devtools-protocol';
import type { Cdp } from '../../chromium/chromium.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import type { Watchers } from './watchers.ts';

const linesRead = 250;
const windowMs = 10_000;
const longestText = 1000;
const lineWindow = (): FloodWindow => new FloodWindow(linesRead, windowMs);

interface PageConsole {
  /** The target it is attached to. */
  own: string;
  /** The page it belongs to. */
  targetId: string;
  lines: FloodWindow;
  quiet: boolean;
}

/** Before anything else listens for targets: it must be on before a page is let run. `isGuests`: nothing is told of these. */
export function watchConsole(
  cdp: Cdp,
  watchers: Watchers,
  isGuests: (contextId: string | undefined) => boolean,
): void {
  const sessions = new Map<string, PageConsole>();
  const turn = (on: boolean, sessionId: string): void =>
    void cdp.send(on ? 'Runtime.enable' : 'Runtime.disable', undefined, { sessionId }).catch(() => undefined);

  const nextLine = (sessionId: string | undefined): PageConsole | undefined => {
    const page = sessions.get(sessionId ?? '');
    if (!page || page.quiet) return undefined;
    if (page.lines.admits()) return page;
    page.quiet = true;
    turn(false, sessionId ?? '');
    const text =
      'The page writes so much to its console that its errors are told only after its next navigation.';
    watchers.notify('consoleError', { targetId: page.targetId, kind: 'quieted', text });
    return undefined;
  };

  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }, parent) => {
    if (targetInfo.type !== 'page' && targetInfo.type !== 'iframe') return;
    // Second sessions of the service get the same again, and old lines once more; so do those below them.
    const isSecond = [...sessions.values()].some((each) => each.own === targetInfo.targetId);
    if (isSecond || (parent ? !sessions.has(parent) : targetInfo.type === 'iframe')) return;
    if (isGuests(targetInfo.browserContextId)) return;
    const targetId = sessions.get(parent ?? '')?.targetId ?? targetInfo.targetId;
    sessions.set(sessionId, { own: targetInfo.targetId, targetId, lines: lineWindow(), quiet: false });
    turn(true, sessionId);
  });
  cdp.on('Target.detachedFromTarget', ({ sessionId }) => sessions.delete(sessionId));
  cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
    const page = sessions.get(sessionId ?? '');
    if (!page?.quiet || frame.parentId) return;
    Object.assign(page, { quiet: false, lines: lineWindow() });
    turn(true, sessionId ?? '');
  });
  cdp.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }, sessionId) => {
    const page = nextLine(sessionId);
    if (!page || (type !== 'error' && type !== 'assert')) return;
    const text = clip(args.map(textOf).join(' '));
    watchers.notify('consoleError', {
      targetId: page.targetId,
      kind: 'logged',
      text,
      ...placeOf(stackTrace?.callFrames[0]),
    });
  });
  cdp.on('Runtime.exceptionThrown', ({ exceptionDetails }, sessionId) => {
    const page = nextLine(sessionId);
    if (!page) return;
    const { exception, text } = exceptionDetails;
    const what = clip(exception ? textOf(exception) : text);
    watchers.notify('consoleError', {
      targetId: page.targetId,
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
