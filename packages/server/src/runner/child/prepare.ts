/**
 * What a runner does before it is of use to any browser, in two parts. The first needs nothing of the process it runs in:
 * it loads Playwright and plays the rehearsal. It is done once, when the toolbox is laid out, and kept in a snapshot, or by
 * the runner itself where there is none. The second opens the sockets that the process inherited, and reports ready.
 */
import { mkdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserType } from 'playwright-core';
import { descriptors, limits, type StreamPurpose, Streams, type ToChild } from '../wire/wire.ts';
import { AriaRefs } from './aria-refs.ts';
import { CdpPipe } from './cdp-pipe.ts';
import { Control } from './control.ts';
import { closeObviousDoors } from './doors.ts';
import { Files } from './files.ts';
import { leaveOutGlobals } from './globals.ts';
import type { DialogListening } from './guard.ts';
import { type Loaded, load, type Substitutes } from './load.ts';
import { rehearse } from './rehearsal.ts';
import { Secrets } from './secrets.ts';
import { attach, type Session } from './session.ts';
import { netWithTunnel } from './tunnel.ts';

export interface Prepared {
  playwright: Loaded;
  /** @param playwrightFolder where it lies now; it may have been loaded from elsewhere */
  start(playwrightFolder: string): void;
}

/** @param substitutes for modules of Node that Playwright asks for */
export async function prepare(playwrightFolder: string, substitutes: Substitutes = {}): Promise<Prepared> {
  const child = new Child();
  const leaveOut = leaveOutGlobals();
  const net = netWithTunnel(() => child.openStream());
  const playwright = load(join(playwrightFolder, 'index.js'), { ...substitutes, net });
  leaveOut();
  const { chromium } = playwright.exports as { chromium: BrowserType };
  await child.rehearse(chromium, playwrightFolder);
  // Node remembers when the next of its timers is due. One of the rehearsal's, kept in a snapshot, would be that for ever,
  // and timers of the runner behind it would never be set; one that has run leaves nothing to remember.
  await sleep(1);
  return {
    playwright,
    start(folderNow) {
      playwright.moveTo(folderNow);
      child.start(chromium);
    },
  };
}

const open = (fd: number): Socket => new Socket({ fd, readable: true, writable: true });

class Child {
  // Playwright holds on to these from the rehearsal on, when there is no service yet.
  readonly #files = new Files({ ask: (...asked) => this.#control.ask(...asked) });
  readonly #secrets = new Secrets({ ask: (...asked) => this.#control.ask(...asked) });
  readonly #refs = new AriaRefs({ ask: (...asked) => this.#control.ask(...asked) });
  readonly #onDialogListening = (to: DialogListening): void => {
    this.#listeningTo = to;
    if (!this.#session?.isRunning) return;
    if (to === 'all') this.#control.send({ type: 'dialogs', listening: true });
    else this.#control.send({ type: 'dialogs', listening: to.length > 0, targets: [...to] });
  };
  #connected: { control: Control; streams: Streams } | undefined;
  #session: Session | undefined;
  #frontMoves = 0;
  #listeningTo: DialogListening = [];

  get #control(): Control {
    if (!this.#connected) throw new Error('There is no service behind a rehearsal.');
    return this.#connected.control;
  }

  openStream(purpose?: StreamPurpose): ReturnType<Streams['open']> {
    if (!this.#connected) throw new Error('There is no service behind a rehearsal.');
    return this.#connected.streams.open(purpose);
  }

  async rehearse(chromium: BrowserType, artifactsDir: string): Promise<void> {
    const ignore = () => undefined;
    process.on('uncaughtException', ignore);
    process.on('unhandledRejection', ignore);
    await rehearse(chromium, artifactsDir, {
      files: this.#files,
      secrets: this.#secrets,
      refs: this.#refs,
      onDialogListening: this.#onDialogListening,
    });
    process.off('uncaughtException', ignore);
    process.off('unhandledRejection', ignore);
  }

  start(chromium: BrowserType): void {
    const controlSocket = open(descriptors.control);
    // Without the service a runner has no work and no reader of its answers.
    for (const event of ['end', 'error', 'close']) controlSocket.on(event, () => process.exit());
    const control = new Control(controlSocket, (message) => void this.#receive(chromium, message));
    const streams = new Streams(open(descriptors.streams), { onBroken: () => process.exit(1) });
    this.#connected = { control, streams };
    process.on('uncaughtException', (error) => {
      if (!this.#session) throw error;
      this.#session.thrown(error);
    });
    process.on('unhandledRejection', (reason) => this.#session?.rejected(reason));
    closeObviousDoors();
    // Should a snapshot remember a timer all the same: one that is due before it sets that right.
    setTimeout(() => undefined, 1);
    control.send({ type: 'ready' });
  }

  async #receive(
    chromium: BrowserType,
    message: Exclude<ToChild, { type: 'answer' | 'refusal' }>,
  ): Promise<void> {
    if (message.type === 'attach') return this.#attach(chromium);
    if (!this.#session) return;
    this.#frontMoves = 0;
    await this.#session.run(message);
  }

  async #attach(chromium: BrowserType): Promise<void> {
    const control = this.#control;
    const artifactsDir = join(tmpdir(), 'artifacts');
    mkdirSync(artifactsDir, { recursive: true });
    const transport = new CdpPipe(open(descriptors.cdp), {
      onFront: (targetId) => {
        if (++this.#frontMoves <= limits.notices) control.send({ type: 'front', targetId });
      },
      wantsDialogs: (targetId) => this.#listeningTo === 'all' || this.#listeningTo.includes(targetId),
      browserPath: (path) => this.#files.browserPath(path),
    });
    try {
      this.#session = await attach(chromium, artifactsDir, {
        control,
        transport,
        files: this.#files,
        secrets: this.#secrets,
        refs: this.#refs,
        onDialogListening: this.#onDialogListening,
        endStreams: () => this.#connected?.streams.endAll(),
        openTrace: () => this.openStream('trace'),
      });
      this.#session.expectScripts();
      control.send({ type: 'attached' });
    } catch (error) {
      control.send({ type: 'refused', message: String((error as Error).message).slice(0, limits.textChars) });
    }
  }
}
