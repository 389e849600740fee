/** The parts of Playwright 1.65 behind its public API that the runner holds on to, named in this one place. */
import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface Emitter {
  _addListener(type: string, listener: object, prepend: boolean): unknown;
  _callHandler(type: string, handler: object, args: unknown[]): void;
  removeListener(type: string, listener: object): unknown;
}

export interface ClientObject extends Emitter {
  _guid: string;
  _type: string;
  _connection: ClientConnection;
}

export interface SendOptions {
  signal?: AbortSignal;
  internal?: boolean;
  apiName?: string;
}

export interface ClientConnection {
  _objects: Map<string, ClientObject>;
  sendMessageToServer(
    object: ClientObject,
    method: string,
    params: unknown,
    options: SendOptions,
  ): Promise<unknown>;
  dispatch(message: object): void;
  toImpl(object: unknown): unknown;
}

export interface TimeoutSettings {
  _defaultTimeout: number | undefined;
  _defaultNavigationTimeout: number | undefined;
  _timeout(options: object): number;
  _navigationTimeout(options: object): number;
}

export interface ServerPage {
  guid: string;
  frameManager: { frames(): ServerFrame[] };
  mainFrame(): ServerFrame;
  delegate?: {
    _targetId?: string;
    _sessionForFrame(frame: ServerFrame): {
      _adoptBackendNodeId(backendNodeId: number, to: ServerContext): Promise<{ dispose(): void }>;
    };
  };
}

export interface ServerFrame {
  _id: string;
  _page: ServerPage;
  selectors: FrameSelectors;
  context(world: 'main' | 'utility'): Promise<ServerContext>;
}

interface ServerContext {
  injectedScript(): Promise<{
    evaluate<Given>(work: (injected: InjectedScript, given: Given) => void, given: Given): Promise<void>;
  }>;
}

/** The part of Playwright that runs in a page. */
export interface InjectedScript {
  _engines: Map<string, object>;
}

export interface FrameSelectors {
  frame: ServerFrame;
  _jumpToAriaRefFrameIfNeeded(
    selector: string,
    info: { parsed: { parts: { name: string; body: unknown }[] } },
    frame: ServerFrame,
  ): ServerFrame;
}

export interface ServerBrowser {
  options: { proxy?: { server: string } };
  _crPages: Map<string, { _page: ServerPage }>;
}

export interface ServerArtifact {
  _localPathAfterFinished(): Promise<string>;
  saveAs(progress: unknown, save: (path: string, error?: Error) => Promise<void>): void;
}

/** Where Playwright's server writes a trace. */
export interface TraceFiles {
  mkdir(folder: string): void;
  copyFile(from: string, to: string): void;
  zip(entries: unknown, file: string): void;
  sync(): Promise<void>;
  writeFile(file: string, content: string | Buffer): void;
  appendFile(file: string, text: string): void;
}

/** Its client tells it from where in the code a call came. */
interface LocalUtils {
  addStackToTracingNoReply?(params: {
    callData: { id: number; stack?: { file: string; line?: number; column?: number; function?: string }[] };
  }): Promise<void>;
}

export const clientOf = (object: Browser | BrowserContext | Page): ClientObject =>
  object as unknown as ClientObject;

export const connectionOf = (browser: Browser): ClientConnection => clientOf(browser)._connection;

export const serverBrowserOf = (browser: Browser): ServerBrowser =>
  connectionOf(browser).toImpl(browser) as ServerBrowser;

export const serverTracingOf = (context: BrowserContext): { _fs: TraceFiles } =>
  (clientOf(context)._connection.toImpl(context) as { tracing: { _fs: TraceFiles } }).tracing;

export const localUtilsOf = (context: BrowserContext): LocalUtils =>
  (clientOf(context)._connection as unknown as { _localUtils: LocalUtils })._localUtils;

/** The page that an object belongs to: itself, or that of a frame or of an element. */
export function serverPageOf(object: ClientObject): ServerPage | undefined {
  const own = object._connection.toImpl(object) as Partial<ServerFrame & ServerPage> | undefined;
  return own?._page ?? (own?.frameManager ? (own as ServerPage) : undefined);
}

/** The target of a page; undefined for any other object. */
export const targetIdOf = (object: ClientObject): string | undefined =>
  object._type === 'Page'
    ? (object._connection.toImpl(object) as ServerPage | undefined)?.delegate?._targetId
    : undefined;

export const timeoutsOf = (object: BrowserContext | Page): TimeoutSettings =>
  (object as unknown as { _timeoutSettings: TimeoutSettings })._timeoutSettings;

/** The class in an object's ancestry that has the method as its own. */
export function prototypeWith<T extends object>(object: T, method: keyof T): T {
  for (let at: object | null = object; at; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, 'constructor') && Object.hasOwn(at, method)) return at as T;
  throw new Error(`Playwright has no ${String(method)} any more.`);
}
