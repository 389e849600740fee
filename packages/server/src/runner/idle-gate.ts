/**
 * Between calls a runner has nothing to do but to keep Playwright's picture of the browser. Code that got out of its scope
 * during a call could still hold the wire; so the service itself shuts it, except for what Playwright sends on its own:
 *
 *   call ── done ──> shut: what Playwright sends for targets that appear, and little else ── next call ──> open
 *
 * Anything else ends the runner. So does a call that leaves a session of its own open: what it set there (interception,
 * emulation) would outlive the call.
 */

/** On any session: Playwright reacts to frames, objects and targets that come and go. */
const always = new Set([
  'Fetch.continueRequest',
  'Page.createIsolatedWorld',
  'Page.enable',
  'Runtime.releaseObject',
  'Runtime.runIfWaitingForDebugger',
  'Target.detachFromTarget',
  'Target.setAutoAttach',
]);

/** On a session until its target is released: how Playwright gets to know a target, and makes it as it made the others. */
const beforeRelease = new Set([
  'Browser.getWindowForTarget',
  'Browser.setWindowBounds',
  'Emulation.setDeviceMetricsOverride',
  'Emulation.setEmulatedMedia',
  'Emulation.setFocusEmulationEnabled',
  'Emulation.setGeolocationOverride',
  'Emulation.setLocaleOverride',
  'Emulation.setScriptExecutionDisabled',
  'Emulation.setTimezoneOverride',
  'Emulation.setTouchEmulationEnabled',
  'Emulation.setUserAgentOverride',
  'Fetch.enable',
  'Inspector.enable',
  'Log.enable',
  'Network.emulateNetworkConditions',
  'Network.enable',
  'Network.setBypassServiceWorker',
  'Network.setCacheDisabled',
  'Network.setExtraHTTPHeaders',
  'Page.addScriptToEvaluateOnNewDocument',
  'Page.getFrameTree',
  'Page.setBypassCSP',
  'Page.setFontFamilies',
  'Page.setInterceptFileChooserDialog',
  'Page.setLifecycleEventsEnabled',
  'Runtime.addBinding',
  'Runtime.enable',
  'Security.setIgnoreCertificateErrors',
]);

const release = 'Runtime.runIfWaitingForDebugger';
/** A release has little beside its name; looking into each message of a running call would cost more than it is worth. */
const longestRelease = 256;
/** A script that runs in each new document is the longest of them. */
const largestIdle = 1024 ** 2;
/** Where Chromium writes the name of an event. */
const headBytes = 64;

interface Session {
  targetId: string;
  type: string;
}

export class IdleGate {
  #received = 0;
  #idle = false;
  readonly #sessions = new Map<string, Session>();
  /** Sessions whose targets wait to be released. */
  readonly #unreleased = new Set<string>();

  /** Messages that the runner has sent so far. */
  get received(): number {
    return this.#received;
  }

  open(): void {
    this.#idle = false;
  }

  shut(): void {
    this.#idle = true;
  }

  /** From the runner. Why it may not be sent; undefined: it may. */
  refusal(message: Buffer): string | undefined {
    this.#received++;
    if (!this.#idle) {
      if (message.length < longestRelease && message.includes(release)) this.#noteRelease(read(message));
      return undefined;
    }
    if (message.length > largestIdle) return 'a long command while no call runs';
    const command = read(message);
    const refusal = this.#refusalOf(command);
    this.#noteRelease(command);
    return refusal;
  }

  #refusalOf({ method, sessionId, params }: Message): string | undefined {
    if (typeof method !== 'string') return 'a message without a method while no call runs';
    const isNew = typeof sessionId === 'string' && this.#unreleased.has(sessionId);
    const isKnown = always.has(method) || (isNew && beforeRelease.has(method));
    // As it came, not changed on its way.
    const changes = method === 'Fetch.continueRequest' && Object.keys(params ?? {}).length > 1;
    return isKnown && !changes ? undefined : `${method.slice(0, 100)} while no call runs`;
  }

  #noteRelease({ method, sessionId }: Message): void {
    if (method === release) this.#unreleased.delete(String(sessionId));
  }

  /** From the browser. */
  watch(message: Buffer): void {
    const head = message.toString('latin1', 0, headBytes);
    if (head.includes('"Target.attachedToTarget"')) {
      const { params } = read(message);
      const { sessionId, targetInfo } = params as { sessionId: string; targetInfo: Session };
      this.#sessions.set(sessionId, { targetId: targetInfo.targetId, type: targetInfo.type });
      this.#unreleased.add(sessionId);
    } else if (head.includes('"Target.detachedFromTarget"')) {
      const { sessionId } = read(message).params as { sessionId: string };
      this.#sessions.delete(sessionId);
      this.#unreleased.delete(sessionId);
    }
  }

  /** Whether a target has a session beside the one that Playwright has by itself. */
  get hasExtraSessions(): boolean {
    const seen = new Set<string>();
    for (const { targetId, type } of this.#sessions.values()) {
      if (type === 'browser') return true;
      if (type !== 'page' && type !== 'iframe') continue;
      if (seen.has(targetId)) return true;
      seen.add(targetId);
    }
    return false;
  }
}

interface Message {
  method?: unknown;
  sessionId?: unknown;
  params?: unknown;
}

function read(message: Buffer): Message {
  try {
    return (JSON.parse(message.toString('utf8')) as Message | null) ?? {};
  } catch {
    return {};
  }
}
