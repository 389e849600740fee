/** Observations that were too long for their answer, as files of their browsers. The same one is kept once. */
import { createHash } from 'node:crypto';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { SeenAs } from './schema.ts';

const names = {
  aria: ['observation.txt', 'text/plain'],
  text: ['observation.txt', 'text/plain'],
  html: ['observation.html', 'text/html'],
  markdown: ['observation.md', 'text/markdown'],
} as const;

interface Last {
  hash: string;
  fileId: string;
}

export class KeptWholes {
  readonly #parts: { artifacts: Pick<Artifacts, 'add' | 'get'>; log: Log };
  /** Of each tab and kind. */
  readonly #last = new WeakMap<Running, Map<string, Last>>();

  constructor(parts: { artifacts: Pick<Artifacts, 'add' | 'get'>; log: Log }) {
    this.#parts = parts;
  }

  /** An answer stands without the file: a quota that is used up keeps no caller from seeing its page. */
  async keep(
    running: Running,
    tabId: string,
    kind: keyof typeof names,
    text: string,
  ): Promise<SeenAs['file']> {
    const { artifacts, log } = this.#parts;
    const owner = { projectId: running.projectId, browserId: running.id };
    const [name, mimeType] = names[kind];
    const body = Buffer.from(text);
    const hash = createHash('sha256').update(body).digest('hex');
    const files = this.#last.get(running) ?? new Map<string, Last>();
    this.#last.set(running, files);
    const last = files.get(`${tabId} ${kind}`);
    try {
      if (last?.hash === hash && (await artifacts.get(owner, last.fileId))) return { fileId: last.fileId };
      const { id: fileId } = await artifacts.add({
        ...owner,
        kind: 'file',
        source: 'observation',
        name,
        mimeType,
        body,
        expectedBytes: body.length,
        limitBytes: Number.MAX_SAFE_INTEGER,
      });
      files.set(`${tabId} ${kind}`, { hash, fileId });
      return { fileId };
    } catch (error) {
      log.warn({ err: error, browserId: running.id }, 'observation.not_kept');
      return { omitted: error instanceof ApiError ? error.message : 'It could not be stored.' };
    }
  }
}
