/** Pictures and PDFs of the tabs of living browsers, handed out or kept. Scripts that run meanwhile are no hindrance. */
import type { Readable } from 'node:stream';
import type { ArtifactRecord, Artifacts } from '../../artifacts/artifacts.ts';
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import type { ProjectFiles } from '../../files/files.ts';
import type { Compared, Pixels, Taken } from '../pixels/pixels.ts';
import type { Comparison, PixelWishes } from '../pixels/schema.ts';
import { Line, tabOf, targetOf, useBrowser } from '../reach/reach.ts';
import type { WantedAsset } from '../visit/schema.ts';
import { readAssets } from '../visit/visit.ts';
import { printPdf } from './pdf.ts';
import { type Readied, whileReady } from './ready-tab.ts';
import type { Picture, Print, Wanted } from './schema.ts';
import { takePicture, takeScreenshot } from './screenshot.ts';
import { takeSeveral } from './several.ts';

export interface CapturesParts {
  browsers: Pick<BrowsersOnNode, 'use'>;
  artifacts: Artifacts;
  pixels: Pixels;
  files: Pick<ProjectFiles, 'read'>;
}

/** Bytes to hand out. */
export interface Captured {
  name: string;
  mimeType: string;
  body: Buffer | Readable;
}

/** One of several, handed out or kept. */
export interface CapturedPicture {
  mimeType: string;
  bytes?: Buffer;
  /** Where it was stored. */
  record?: ArtifactRecord;
}

export interface CapturedElement extends CapturedPicture {
  selector: string;
}

export interface ComparedCapture {
  comparison: Comparison;
  picture: CapturedPicture;
  difference: CapturedPicture;
}

type Kind = 'screenshot' | 'pdf';
type OnTab<T> = T & { tabId?: string; store: boolean };

export class Captures {
  readonly #parts: CapturesParts;
  /** Of each browser a line for pictures and one for PDFs: a long print holds up no picture. */
  readonly #lines = new WeakMap<Running, Record<Kind, Line>>();

  constructor(parts: CapturesParts) {
    this.#parts = parts;
  }

  screenshot(
    projectId: string,
    id: string,
    asked: OnTab<Picture> & Readied & PixelWishes & { passive: boolean; selectors?: string[] },
    gone: AbortSignal,
  ): Promise<Captured | ArtifactRecord | CapturedElement[] | ComparedCapture> {
    const { pixels } = this.#parts;
    const take = async (running: Running, signal: AbortSignal) => {
      const tabId = await tabOf(running, asked.tabId);
      if (asked.selectors) return this.#elements(running, tabId, asked, asked.selectors, signal);
      await pixels.check(projectId, asked);
      const taken = await this.#taken(running, tabId, asked, signal, asked);
      if (asked.baseline !== undefined)
        return this.#compared(running, asked, await pixels.compared(projectId, taken, asked));
      const file = pictureFile(asked, await pixels.optimized(projectId, taken.bytes, asked));
      return asked.store ? this.#keep(running, 'screenshot', file) : file;
    };
    const how = { onlyLooks: asked.passive };
    return useBrowser(this.#parts.browsers, [projectId, id], gone, take, how);
  }

  pdf(
    projectId: string,
    id: string,
    asked: OnTab<Print> & Readied & { assets?: readonly WantedAsset[] },
    gone: AbortSignal,
  ): Promise<Captured | ArtifactRecord> {
    return useBrowser(this.#parts.browsers, [projectId, id], gone, async (running, signal) => {
      const tabId = await tabOf(running, asked.tabId);
      const assets = asked.assets && (await readAssets(this.#parts.files, projectId, asked.assets));
      const printed = async (): Promise<Readable> => {
        const page = await targetOf(running, tabId);
        const body = await whileReady(page, asked, signal, () => printPdf(page, { ...asked, assets }));
        if (signal.aborted) body.destroy();
        return body;
      };
      const body = await this.#lineOf(running, 'pdf').run(printed, signal);
      const file = { name: 'page.pdf', mimeType: 'application/pdf', body };
      if (!asked.store) return file;
      try {
        return await this.#keep(running, 'pdf', file);
      } finally {
        body.destroy();
      }
    });
  }

  /** A picture as a file of its browser. */
  async store(running: Running, tabId: string, asked: Picture, signal: AbortSignal): Promise<ArtifactRecord> {
    const body = await this.take(running, tabId, asked, signal);
    return this.#keep(running, 'screenshot', pictureFile(asked, body));
  }

  /** A picture in its turn. */
  async take(running: Running, tabId: string, asked: Wanted, signal: AbortSignal): Promise<Buffer> {
    return (await this.#taken(running, tabId, asked, signal)).bytes;
  }

  #taken(
    running: Running,
    tabId: string,
    asked: Wanted,
    signal: AbortSignal,
    ready?: Readied,
  ): Promise<Taken> {
    const taken = async (): Promise<Taken> => {
      const page = await targetOf(running, tabId);
      const draw = () => takePicture(page, asked);
      return ready ? whileReady(page, ready, signal, draw) : draw();
    };
    return this.#lineOf(running, 'screenshot').run(taken, signal);
  }

  /** None is kept before all are there. */
  async #elements(
    running: Running,
    tabId: string,
    asked: OnTab<Picture> & Readied & PixelWishes,
    selectors: string[],
    signal: AbortSignal,
  ): Promise<CapturedElement[]> {
    const taken = await this.#lineOf(running, 'screenshot').run(async () => {
      const page = await targetOf(running, tabId);
      const draw = (one: Picture) => takeScreenshot(page, one);
      return whileReady(page, asked, signal, () => takeSeveral(selectors, asked, draw));
    }, signal);
    const all: CapturedElement[] = [];
    for (const { selector, bytes } of taken) {
      const picture = await this.#parts.pixels.optimized(running.projectId, bytes, asked);
      all.push({ selector, ...(await this.#handed(running, pictureFile(asked, picture), asked.store)) });
    }
    return all;
  }

  async #compared(
    running: Running,
    { store }: OnTab<Picture>,
    { comparison, picture, difference }: Compared,
  ): Promise<ComparedCapture> {
    const png = (name: string, body: Buffer) => ({ name, mimeType: 'image/png', body });
    return {
      comparison,
      picture: await this.#handed(running, png('screenshot.png', picture), store),
      difference: await this.#handed(running, png('difference.png', difference), store),
    };
  }

  async #handed(
    running: Running,
    file: Captured & { body: Buffer },
    store: boolean,
  ): Promise<CapturedPicture> {
    const { mimeType, body: bytes } = file;
    return store ? { mimeType, record: await this.#keep(running, 'screenshot', file) } : { mimeType, bytes };
  }

  #lineOf(running: Running, kind: Kind): Line {
    const lines = this.#lines.get(running) ?? { screenshot: new Line(), pdf: new Line() };
    this.#lines.set(running, lines);
    return lines[kind];
  }

  #keep(running: Running, source: Kind, { name, mimeType, body }: Captured): Promise<ArtifactRecord> {
    return this.#parts.artifacts.add({
      projectId: running.projectId,
      browserId: running.id,
      kind: 'file',
      source,
      name,
      mimeType,
      body,
      ...(Buffer.isBuffer(body) && { expectedBytes: body.length }),
      // What Chromium can make is bounded by itself; the quota of the project holds all the same.
      limitBytes: Number.MAX_SAFE_INTEGER,
    });
  }
}

const pictureFile = ({ format }: Picture, body: Buffer): Captured & { body: Buffer } => ({
  name: `screenshot.${format === 'jpeg' ? 'jpg' : format}`,
  mimeType: `image/${format}`,
  body,
});
