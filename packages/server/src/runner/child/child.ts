/**
 * Inside the box: Playwright, and the script it runs. Started ahead of time it waits for `attach`; then it belongs to
 * one browser until it ends, and runs one call at a time.
 */
import { mkdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserType } from 'playwright-core';
import { descriptors, limits, Streams, type ToChild } from '../wire/wire.ts';
import { CdpPipe } from './cdp-pipe.ts';
import { Control } from './control.ts';
import { closeObviousDoors } from './doors.ts';
import { Files } from './files.ts';
import { load } from './load.ts';
import { rehearse } from './rehearsal.ts';
import { attach, type Session } from './session.ts';
import { netWithTunnel } from './tunnel.ts';

const open = (fd: number): Socket => new Socket({ fd, readable: true, writable: true });

let session: Session | undefined;
let frontMoves = 0;
const listening = { toDialogs: false };

const controlSocket = open(descriptors.control);
// Without the service a runner has no work and no reader of its answers.
for (const event of ['end', 'error', 'close']) controlSocket.on(event, () => process.exit());
const control = new Control(controlSocket, (message) => void receive(message));
const streams = new Streams(open(descriptors.streams), { onBroken: () => process.exit(1) });
const files = new Files(control);

let rehearsing = true;
process.on('uncaughtException', (error) => {
  if (session) session.thrown(error);
  else if (!rehearsing) throw error;
});
process.on('unhandledRejection', (reason) => session?.rejected(reason));

const onDialogListening = (toDialogs: boolean): void => {
  listening.toDialogs = toDialogs;
  if (session?.isRunning) control.send({ type: 'dialogs', listening: toDialogs });
};

const [playwrightFolder = ''] = process.argv.slice(2);
const { chromium } = load(join(playwrightFolder, 'index.js'), { net: netWithTunnel(() => streams.open()) })
  .exports as {
  chromium: BrowserType;
};
closeObviousDoors();
const artifactsDir = join(tmpdir(), 'artifacts');
mkdirSync(artifactsDir, { recursive: true });
await rehearse(chromium, artifactsDir, { files, onDialogListening });
rehearsing = false;
control.send({ type: 'ready' });

async function receive(message: Exclude<ToChild, { type: 'answer' | 'refusal' }>): Promise<void> {
  if (message.type === 'attach') return attachToBrowser();
  if (!session) return;
  frontMoves = 0;
  await (message.type === 'run' ? session.run(message) : session.observe(message));
}

async function attachToBrowser(): Promise<void> {
  const transport = new CdpPipe(open(descriptors.cdp), {
    onFront: (targetId) => {
      if (++frontMoves <= limits.notices) control.send({ type: 'front', targetId });
    },
    wantsDialogs: () => listening.toDialogs,
    browserPath: (path) => files.browserPath(path),
  });
  try {
    session = await attach(chromium, artifactsDir, { control, transport, files, onDialogListening });
    control.send({ type: 'attached' });
  } catch (error) {
    control.send({ type: 'refused', message: String((error as Error).message).slice(0, limits.textChars) });
  }
}
