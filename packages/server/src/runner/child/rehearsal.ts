/**
 * Before it is ready, a runner runs one short call against a simulated browser. What Playwright does for the first time
 * takes six times as long as later, because V8 has to compile it, and this way no caller waits for it. The simulation answers as little as
 * Playwright needs: one blank page with its two script worlds.
 */
import type { BrowserType } from 'playwright-core';
import { attach, type Given, type Parts, type Transport } from './session.ts';

interface Asked {
  id: number;
  method: string;
  sessionId?: string;
  params?: { worldName?: string; returnByValue?: boolean };
}

const targetId = 'stage';
const sessionId = 'stage-session';
const frame = {
  id: targetId,
  loaderId: 'loader',
  url: 'about:blank',
  domainAndRegistry: '',
  securityOrigin: '://',
  mimeType: 'text/html',
};
const targetInfo = {
  targetId,
  type: 'page',
  title: '',
  url: 'about:blank',
  attached: true,
  canAccessOpener: false,
  browserContextId: 'default',
};

const world = (id: number, name: string, isDefault: boolean): object => ({
  method: 'Runtime.executionContextCreated',
  sessionId,
  params: {
    context: {
      id,
      origin: '://',
      name,
      uniqueId: `world-${id}`,
      auxData: { isDefault, type: 'default', frameId: targetId },
    },
  },
});

class SimulatedBrowser implements Transport {
  onmessage: ((message: object) => void) | undefined;
  onclose: ((reason?: string) => void) | undefined;
  readonly front = undefined;
  readonly sent = 0;

  watchFront(): void {}

  close(): void {
    this.onclose?.();
  }

  send(asked: Asked): void {
    const { id, method, params } = asked;
    if (method === 'Target.setAutoAttach' && !asked.sessionId)
      this.#say({
        method: 'Target.attachedToTarget',
        params: { sessionId, targetInfo, waitingForDebugger: false },
      });
    if (method === 'Runtime.enable') this.#say(world(1, '', true));
    if (method === 'Page.createIsolatedWorld') this.#say(world(2, params?.worldName ?? '', false));
    this.#say({ id, sessionId: asked.sessionId, result: this.#answer(method, params) });
  }

  #answer(method: string, params: Asked['params']): object {
    switch (method) {
      case 'Browser.getVersion':
        return {
          protocolVersion: '1.3',
          product: 'Chrome/156.0.0.0',
          userAgent: 'Chrome/156.0.0.0',
          revision: '',
          jsVersion: '',
        };
      case 'Page.getFrameTree':
        return { frameTree: { frame } };
      case 'Page.createIsolatedWorld':
        return { executionContextId: 2 };
      case 'Page.addScriptToEvaluateOnNewDocument':
        return { identifier: '1' };
      case 'Target.getTargetInfo':
        return { targetInfo: { ...targetInfo, type: 'browser' } };
      case 'Runtime.evaluate':
        return { result: { type: 'object', objectId: 'object' } };
      case 'Runtime.callFunctionOn':
        return { result: params?.returnByValue ? { type: 'string', value: '' } : { type: 'undefined' } };
      default:
        return {};
    }
  }

  #say(message: object): void {
    setImmediate(() => this.onmessage?.(message));
  }
}

async function play({ page, console }: Given): Promise<unknown> {
  console.log({ page });
  await page
    .locator('a')
    .count()
    .catch(() => 0);
  return [await page.title()];
}
const patienceMs = 2000;

/** No output of it leaves the process, and a failure only means that the first call is slower. */
export async function rehearse(
  chromium: BrowserType,
  artifactsDir: string,
  parts: Pick<Parts, 'files' | 'secrets' | 'refs' | 'onDialogListening'>,
): Promise<void> {
  const perform = async (): Promise<void> => {
    const transport = new SimulatedBrowser();
    const silence = { send: () => undefined, sendText: () => undefined };
    const session = await attach(chromium, artifactsDir, { ...parts, control: silence, transport });
    await session.rehearse(targetId, patienceMs, play);
    transport.close();
  };
  let alarm: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    alarm = setTimeout(resolve, patienceMs);
  });
  await Promise.race([perform().catch(() => undefined), late]);
  clearTimeout(alarm);
}
