/**
 * What clients may do only with the right parameters. Where parameters are dangerous the known ones are copied and the
 * rest is left behind, so that one a newer Chromium adds is not let in by accident.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Belongings } from './belongings.ts';
import { type ExtensionIds, readAddress, readNetworkAddress } from './urls.ts';

export type Params = Record<string, unknown>;

export interface FilterRules {
  /** Folder, as Chromium sees it, that downloads go to; null: none are kept. Read at every use. */
  readonly downloadPath: string | null;
  /** Extensions of the browser, whose pages the client may open. */
  readonly extensionIds?: ExtensionIds | undefined;
  /** Why the client may open no other tab. */
  tabRefusal?(): string | undefined;
  /** Chromium's own path of a file that was handed out to the client under this one; undefined: it was not. */
  fileFor?(path: string): string | undefined;
  /** The client has a new browser context, of which it does not know yet: where downloads go is not set there. */
  onContext?(browserContextId: string): void;
  /** Whether the client wants no downloads in a context of its own. */
  onDownloadsDenied?(browserContextId: string, denied: boolean): void;
  /** The client ends a download. */
  onCancel?(guid: string): void;
  /** What the browser was asked to have its pages believe about media; undefined: nothing. Read at every use. */
  readonly media?: MediaFeature[] | undefined;
  /** Carries out what clients ask about windows; `targetId`: the page in whose session it was asked. */
  window?(command: WindowCommand, targetId: string | undefined): Promise<object>;
  /** The node that has a reference of the service's in the page of a target. */
  resolveRef?(ref: string, targetId: string): Promise<object>;
}

export interface MediaFeature {
  name: string;
  value: string;
}

export interface WindowCommand {
  method:
    | 'Browser.getWindowForTarget'
    | 'Browser.getWindowBounds'
    | 'Browser.setWindowBounds'
    | 'Browser.setContentsSize';
  params: Params;
}

export type Verdict =
  | { kind: 'pass'; params: Params }
  /** Done by the service in the client's name, so that the client's leaving does not undo it for all. */
  | { kind: 'serve'; method: ServedMethod; params: Params }
  /** The answer is the service's own. */
  | { kind: 'ask'; ask(): Promise<object> }
  /** The client takes its leave; the browser stays. */
  | { kind: 'leave' }
  | { kind: 'refuse'; message: string };

type ServedMethod =
  | 'Browser.setDownloadBehavior'
  | 'Browser.setPermission'
  | 'Browser.grantPermissions'
  | 'Browser.resetPermissions';

/** The client that asks, under which of its sessions. */
export interface Asker {
  rules: FilterRules;
  owned: Belongings;
  sessionId: string;
}

type Rule = (params: Params, asker: Asker) => Verdict;

const mostSessions = 5000;

const pass = (params: Params): Verdict => ({ kind: 'pass', params });
export const refuse = (message: string): Verdict => ({ kind: 'refuse', message });

const pick = (params: Params, ...names: string[]): Params =>
  Object.fromEntries(names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]));

const only =
  (...names: string[]): Rule =>
  (params) =>
    pass(pick(params, ...names));

const serve =
  (method: ServedMethod, ...names: string[]): Rule =>
  (params) => ({ kind: 'serve', method, params: pick(params, ...names) });

const at =
  (read: typeof readAddress, ...names: string[]): Rule =>
  (params, { rules }) => {
    const address = read(params.url, rules.extensionIds);
    return 'refusal' in address
      ? refuse(address.refusal)
      : pass({ ...pick(params, ...names), url: address.href });
  };

/** Chromium names downloads itself and puts them where the service wants them, whatever the client asked for. */
const downloads: Rule = (params, { rules, owned }) => {
  const { browserContextId, behavior } = params;
  const isOwn = owned.contexts.has(String(browserContextId));
  const ownWish = behavior === 'deny' && isOwn;
  if (isOwn) rules.onDownloadsDenied?.(String(browserContextId), ownWish);
  const keep = rules.downloadPath !== null && !ownWish;
  return {
    kind: 'serve',
    method: 'Browser.setDownloadBehavior',
    params: {
      ...pick(params, 'browserContextId'),
      ...(keep ? { behavior: 'allowAndName', downloadPath: rules.downloadPath } : { behavior: 'deny' }),
      eventsEnabled: true,
    },
  };
};

/** Chromium's paths for the client's, or nothing when one of them was not handed out. */
function readFiles(files: unknown, rules: FilterRules): string[] | undefined {
  if (!Array.isArray(files)) return undefined;
  const known = files.map((path) => (typeof path === 'string' ? rules.fileFor?.(path) : undefined));
  return known.every((path) => path !== undefined) ? known : undefined;
}

const unknownFile =
  'Only files that were uploaded to this browser, and that its policy lets through, can be used here. A path of the ' +
  'client’s machine cannot: send the bytes, as Playwright does unless it is told isLocal';

const setFiles: Rule = (params, { rules }) => {
  const files = readFiles(params.files, rules);
  return files
    ? pass({ ...pick(params, 'nodeId', 'backendNodeId', 'objectId'), files })
    : refuse(unknownFile);
};

/** No page knows what to do with more. */
const mostLinks = 1000;

/** A link dropped on a page that does not care is opened like an address that was typed. */
function carriesClosedLink(items: unknown): boolean {
  const lines = (Array.isArray(items) ? (items as Params[]) : [])
    .filter((item) => /uri-list/i.test(String(item?.mimeType)))
    .flatMap((item) => String(item.data).split('\n', mostLinks + 1));
  if (lines.length > mostLinks) return true;
  return lines.filter((line) => !/^\s*(#|$)/.test(line)).some((link) => 'refusal' in readAddress(link));
}

const drag: Rule = (params, { rules }) => {
  const data = typeof params.data === 'object' && params.data ? (params.data as Params) : {};
  const files = readFiles(data.files ?? [], rules);
  if (!files) return refuse(unknownFile);
  if (carriesClosedLink(data.items)) return refuse('A link with such an address is not allowed here');
  const carried = { ...pick(data, 'items', 'dragOperationsMask'), files };
  return pass({ ...pick(params, 'type', 'x', 'y', 'modifiers'), data: carried });
};

const createContext: Rule = (params) => {
  const asked = ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess'].find(
    (name) => params[name] !== undefined,
  );
  if (asked) return refuse(`'${asked}' is not allowed here: the browser's own proxy and policy hold`);
  return pass({ disposeOnDetach: true });
};

const createTarget: Rule = (params, asker) => {
  const refusal = asker.rules.tabRefusal?.();
  return refusal ? refuse(refusal) : openTarget(params, asker);
};

const openTarget: Rule = (params, asker) =>
  at(
    readAddress,
    ...['left', 'top', 'width', 'height', 'windowState', 'browserContextId'],
    ...['newWindow', 'background', 'forTab', 'focus'],
  )({ ...params, url: params.url === '' ? 'about:blank' : params.url }, asker);

/** Sessions that are not flat carry their messages inside others, past this filter. */
const flat = (params: Params): boolean => params.flatten === true;
const notFlat = "'flatten' must be true here";

const attach: Rule = (params, { owned }) => {
  if (!flat(params)) return refuse(notFlat);
  if (owned.sessionCount >= mostSessions) return refuse('Too many sessions are open');
  return pass(pick(params, 'targetId', 'flatten'));
};

/** Playwright sends these for each page it meets, asked or not, unless it is told `noDefaults`. */
const playwrightMedia = {
  media: '',
  features: [
    { name: 'prefers-color-scheme', value: 'light' },
    { name: 'prefers-reduced-motion', value: 'no-preference' },
    { name: 'forced-colors', value: 'none' },
    { name: 'prefers-contrast', value: 'no-preference' },
  ],
};

/** A client's wish beats the browser's; what its library says unasked does not. */
const media: Rule = (asked, { rules, owned, sessionId }) => {
  const params = pick(asked, 'media', 'features');
  const isFirst = owned.isFirstMedia(sessionId);
  const wanted = rules.media;
  if (!wanted || !isFirst || owned.isInOwnContext(sessionId) || !isDeepStrictEqual(params, playwrightMedia))
    return pass(params);
  const named = (name: string) => wanted.find((feature) => feature.name === name && feature.value !== '');
  return pass({
    media: '',
    features: playwrightMedia.features.map((feature) => named(feature.name) ?? feature),
  });
};

const window =
  (method: WindowCommand['method'], ...names: string[]): Rule =>
  (asked, { rules, owned, sessionId }) => {
    const params = pick(asked, ...names);
    const { window: carryOut } = rules;
    return carryOut
      ? { kind: 'ask', ask: () => carryOut({ method, params }, owned.targetOf(sessionId)) }
      : pass(params);
  };

const reference: Rule = ({ ref }, { rules, owned, sessionId }) => {
  const targetId = owned.targetOf(sessionId);
  const { resolveRef } = rules;
  if (!resolveRef || targetId === undefined)
    return refuse('References are resolved in the session of a page');
  if (typeof ref !== 'string' || ref.length > longestRef)
    return refuse("'ref' must be a reference, such as e12");
  return { kind: 'ask', ask: () => resolveRef(ref, targetId) };
};
const longestRef = 40;

const ownStream =
  (...names: string[]): Rule =>
  (params, { owned, sessionId }) =>
    owned.ownsStream(sessionId, String(params.handle))
      ? pass(pick(params, 'handle', ...names))
      : refuse('Invalid stream handle');

const ruled: Record<string, Rule> = {
  'Browser.cancelDownload': (params, { rules }) => {
    // Without what the events of downloads say before it.
    const guid =
      String(params.guid ?? '')
        .split('\0')
        .at(-1) ?? '';
    rules.onCancel?.(guid);
    return pass({ ...pick(params, 'browserContextId'), guid });
  },
  'Browser.close': () => ({ kind: 'leave' }),
  'Browser.grantPermissions': serve('Browser.grantPermissions', 'permissions', 'origin', 'browserContextId'),
  'Browser.resetPermissions': serve('Browser.resetPermissions', 'browserContextId'),
  'Browser.setPermission': serve(
    'Browser.setPermission',
    ...['permission', 'setting', 'origin', 'embeddedOrigin', 'browserContextId'],
  ),
  'Browser.getWindowBounds': window('Browser.getWindowBounds', 'windowId'),
  'Browser.getWindowForTarget': window('Browser.getWindowForTarget', 'targetId'),
  'Browser.setContentsSize': window('Browser.setContentsSize', 'windowId', 'width', 'height'),
  'Browser.setWindowBounds': window('Browser.setWindowBounds', 'windowId', 'bounds'),
  'Browser.setDownloadBehavior': downloads,
  'DOM.setFileInputFiles': setFiles,
  'Emulation.setEmulatedMedia': media,
  'Fetch.continueRequest': (params, asker) => {
    const names = ['requestId', 'method', 'postData', 'headers', 'interceptResponse'];
    return params.url === undefined ? pass(pick(params, ...names)) : at(readAddress, ...names)(params, asker);
  },
  'IO.close': ownStream(),
  'IO.read': ownStream('offset', 'size'),
  'Input.dispatchDragEvent': drag,
  'Network.enable': only('maxTotalBufferSize', 'maxResourceBufferSize', 'maxPostDataSize'),
  'Network.loadNetworkResource': at(readNetworkAddress, 'frameId', 'options'),
  'Page.navigate': at(readAddress, 'referrer', 'transitionType', 'frameId', 'referrerPolicy'),
  'Page.setDownloadBehavior': downloads,
  // Opens one more session like the one the client has, under it and under this same filter.
  'Target.attachToBrowserTarget': (_, { owned }) =>
    owned.sessionCount < mostSessions ? pass({}) : refuse('Too many sessions are open'),
  'Target.attachToTarget': attach,
  'Target.createBrowserContext': createContext,
  'Target.createTarget': createTarget,
  'Target.detachFromTarget': (params, { owned }) =>
    owned.ownsSession(String(params.sessionId))
      ? pass(pick(params, 'sessionId'))
      : refuse('No session with given id'),
  'Target.disposeBrowserContext': (params, { owned }) =>
    owned.contexts.has(String(params.browserContextId))
      ? pass(pick(params, 'browserContextId'))
      : refuse(`Failed to find context with id ${String(params.browserContextId).slice(0, 40)}`),
  'Target.setAutoAttach': (params) =>
    flat(params) || params.autoAttach === false
      ? pass({ ...pick(params, 'autoAttach', 'waitForDebuggerOnStart', 'filter'), flatten: true })
      : refuse(notFlat),
};

/** What Chromium does not know, and the service answers. */
export const ownMethods: ReadonlyMap<string, Rule> = new Map([['Browserd.resolveRef', reference]]);

/** A Map, so that no method is named after something every object has. */
export const ruledMethods: ReadonlyMap<string, Rule> = new Map(Object.entries(ruled));
