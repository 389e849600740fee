import { PassThrough } from 'node:stream';
import { Cdp } from './cdp.ts';
import type { ClientOptions } from './client-options.ts';
import { type CdpClient, openClient } from './mux.ts';

/** A pipe with the test at the other end: it sees what reaches Chromium, and says what Chromium would. */
export interface Pipe {
  cdp: Cdp;
  /** What came out at Chromium's end, oldest first. */
  sent: { id: number; method: string; params: Record<string, unknown>; sessionId?: string }[];
  /** Chromium's words, as they are written. */
  say(...messages: (object | string)[]): void;
  open(
    options?: Partial<ClientOptions>,
  ): Promise<{ client: CdpClient; browserSession: string; heard: never[] }>;
}

export function openPipe(): Pipe {
  const input = new PassThrough({ highWaterMark: 1024 ** 3 });
  const output = new PassThrough();
  const cdp = new Cdp({ input, output, timeoutMs: 60_000 });
  const sent: Pipe['sent'] = [];
  const say: Pipe['say'] = (...messages) => {
    const texts = messages.map((message) =>
      typeof message === 'string' ? message : JSON.stringify(message),
    );
    output.write(`${texts.join('\0')}\0`);
  };
  let sessions = 0;
  let rest = '';
  input.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const message = JSON.parse(part) as Pipe['sent'][number];
      sent.push(message);
      if (message.method === 'Target.attachToBrowserTarget' && !message.sessionId)
        say({ id: message.id, result: { sessionId: sessionName(++sessions) } });
      if (message.method === 'Target.detachFromTarget' && !message.sessionId)
        say({ id: message.id, result: {} });
    }
  });
  return {
    cdp,
    sent,
    say,
    async open(options = {}) {
      const heard: never[] = [];
      const client = await openClient(cdp, {
        rules: { downloadPath: null },
        onMessage: (message) => heard.push(JSON.parse(message.toString()) as never),
        onClose: () => undefined,
        ...options,
      });
      return { client, browserSession: sessionName(sessions), heard };
    },
  };
}

/** A session id as Chromium makes them. */
export const sessionName = (number: number): string => number.toString(16).toUpperCase().padStart(32, '0');

/** Everything that was written has been read. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
