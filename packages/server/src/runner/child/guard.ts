/**
 * Ties what a script does through Playwright to its call. All of Playwright's API passes one function, which
 *
 *   aborts operations that still run when their call ends, and leaves any that it tries afterwards without an answer
 *   notes what must be undone at the end: routes, exposed functions, locator handlers
 *
 * Listeners are removed at the end, and no wait outlasts the call, so that a locator that never matched reports that
 * before the call's own deadline does.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { AriaRefs } from './aria-refs.ts';
import { type Call, calls } from './call.ts';
import {
  type ClientConnection,
  type ClientObject,
  clientOf,
  connectionOf,
  type Emitter,
  prototypeWith,
  type TimeoutSettings,
  targetIdOf,
  timeoutsOf,
} from './playwright-inside.ts';

/** The targets of tabs; `all`: the script listens to a whole context. */
export type DialogListening = 'all' | readonly string[];

export interface GuardHooks {
  /** The tabs to whose dialogs the script listens now. */
  onDialogListening(to: DialogListening): void;
  refs: Pick<AriaRefs, 'before'>;
}

const actionTimeoutMs = 10_000;
const navigationTimeoutMs = 30_000;

export function guard(browser: Browser, hooks: GuardHooks): void {
  const [context] = browser.contexts();
  if (!context) throw new Error('The browser has no context.');
  guardOperations(connectionOf(browser), hooks);
  guardListeners(prototypeWith<Emitter>(clientOf(context), '_addListener'));
  guardTimeouts(prototypeWith(timeoutsOf(context), '_timeout'));
}

function guardOperations(connection: ClientConnection, hooks: GuardHooks): void {
  const send = connection.sendMessageToServer;
  const dispatch = connection.dispatch;
  const listening = new Map<string, string | undefined>();
  connection.sendMessageToServer = async (object, method, params, options) => {
    if (method === 'updateSubscription') {
      const { event, enabled } = params as Subscription;
      if (event === 'dialog') hooks.onDialogListening(listenedTo(listening, object, enabled));
    }
    const call = calls.getStore();
    if (!call) return send.call(connection, object, method, params, options);
    // Not refused but never answered: a loop that swallows refusals would go on for ever.
    if (call.ended) return new Promise(() => undefined);
    const signal = options.signal ? AbortSignal.any([options.signal, call.signal]) : call.signal;
    const start = (): Promise<unknown> =>
      send.call(connection, object, method, params, { ...options, signal });
    const ready = hooks.refs.before(call, object, method, params);
    const operation = ready ? ready.then(start) : start();
    const result = await (options.internal ? operation : call.track(options.apiName ?? method, operation));
    undoAtEnd(call, object, method, params, result);
    return result;
  };
  // Events of the browser belong to no call: the objects that Playwright makes of them outlive the running one.
  connection.dispatch = (message) => calls.exit(() => dispatch.call(connection, message));
}

interface Subscription {
  event: string;
  enabled: boolean;
}

/** `listening`: the targets of the pages that are listened to, by their guid; a context has none. */
function listenedTo(
  listening: Map<string, string | undefined>,
  object: ClientObject,
  enabled: boolean,
): DialogListening {
  if (enabled) listening.set(object._guid, targetIdOf(object));
  else listening.delete(object._guid);
  const targets = [...listening.values()];
  return targets.every((target) => target !== undefined) ? targets : 'all';
}

interface Undoable {
  unrouteAll(options: object): Promise<void>;
  _webSocketRoutes: unknown[];
  _updateWebSocketInterceptionPatterns(options: object): Promise<void>;
  _bindings: Map<string, unknown>;
  _locatorHandlers: Map<number, unknown>;
  _channel: { unregisterLocatorHandler(params: { uid: number }): Promise<void> };
}

/** Functions of the script that Playwright would call later. */
function undoAtEnd(call: Call, object: ClientObject, method: string, params: unknown, result: unknown): void {
  const owner = object as unknown as Undoable;
  const key = (...more: unknown[]): string => [method, object._guid, ...more].join(' ');
  if (method === 'setNetworkInterceptionPatterns')
    call.atEnd(key(), () => owner.unrouteAll({ behavior: 'ignoreErrors' }));
  if (method === 'setWebSocketInterceptionPatterns')
    call.atEnd(key(), () => {
      owner._webSocketRoutes = [];
      return owner._updateWebSocketInterceptionPatterns({});
    });
  if (method === 'exposeBinding') {
    const { name } = params as { name: string };
    const { disposable } = result as { disposable: { _object: { dispose(): Promise<void> } } };
    call.atEnd(key(name), () => {
      owner._bindings.delete(name);
      return disposable._object.dispose();
    });
  }
  if (method === 'newCDPSession' || method === 'newBrowserCDPSession') {
    const { session } = result as { session: { _object: CDPSession } };
    call.atEnd(session._object, () => session._object.detach().catch(() => undefined));
  }
  if (method === 'registerLocatorHandler') {
    const { uid } = result as { uid: number };
    call.atEnd(key(uid), () => {
      owner._locatorHandlers.delete(uid);
      return owner._channel.unregisterLocatorHandler({ uid });
    });
  }
}

function guardListeners(emitter: Emitter): void {
  const { _addListener, _callHandler, removeListener } = emitter;
  const owners = new WeakMap<object, Call>();
  emitter._addListener = function (type, listener, prepend) {
    const call = calls.getStore();
    if (call?.ended) throw new Error('The script has ended.');
    if (call && typeof listener === 'function') {
      owners.set(listener, call);
      call.atEnd(listener, () => this.removeListener(type, listener));
    }
    return _addListener.call(this, type, listener, prepend);
  };
  emitter.removeListener = function (type, listener) {
    calls.getStore()?.notAtEnd(listener);
    return removeListener.call(this, type, listener);
  };
  emitter._callHandler = function (type, handler, args) {
    const call = owners.get(handler);
    if (!call) return _callHandler.call(this, type, handler, args);
    if (!call.ended) calls.run(call, () => _callHandler.call(this, type, handler, args));
  };
}

function guardTimeouts(settings: TimeoutSettings): void {
  for (const kind of ['_timeout', '_navigationTimeout'] as const) {
    const original = settings[kind];
    settings[kind] = function (options) {
      const asked = original.call(this, options);
      const call = calls.getStore();
      if (!call || asked <= 0) return asked;
      const margin = Math.min(500, call.timeoutMs / 10);
      return Math.max(1, Math.min(asked, Math.round(call.remainingMs() - margin)));
    };
  }
}

/** Each call begins with the same time limits, whatever the call before had set. */
export function resetTimeouts(browser: Browser): void {
  const reset = (settings: TimeoutSettings, action?: number, navigation?: number): void => {
    settings._defaultTimeout = action;
    settings._defaultNavigationTimeout = navigation;
  };
  for (const context of browser.contexts()) {
    reset(timeoutsOf(context), actionTimeoutMs, navigationTimeoutMs);
    for (const page of context.pages()) reset(timeoutsOf(page));
  }
}

/** Properties that a script added to the objects it was given are removed with it. */
export function keepShape(...objects: (Browser | BrowserContext | Page)[]): () => void {
  const before = objects.map((object) => new Set(Reflect.ownKeys(object)));
  return () => {
    objects.forEach((object, index) => {
      for (const key of Reflect.ownKeys(object))
        if (!before[index]?.has(key) && !String(key).startsWith('_')) Reflect.deleteProperty(object, key);
    });
  };
}
