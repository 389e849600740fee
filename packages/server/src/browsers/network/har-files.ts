/** HARs as files of their browser: those a caller asks for, and the one of a browser that was made with `har`, when it ends. */
import type { ArtifactRecord, Artifacts } from '../../artifacts/artifacts.ts';
import type { Log } from '../../kit/log.ts';
import { shareOf } from '../../kit/loop-share.ts';
import type { NetworkFilter } from './finding.ts';
import type { HarOptions } from './har.ts';
import type { NetworkLog } from './network-log.ts';

export interface HarOwner {
  projectId: string;
  id: string;
  epoch: number;
  live: { network: NetworkLog };
}

export interface HarFilesParts {
  artifacts: Artifacts;
  log: Log;
  /** Of the values of the project's secrets, in JSON. */
  maskJson(projectId: string, json: string): string;
}

const atEnd = { bodies: 'none', maxBytes: 32 * 1024 ** 2 } as const;

export class HarFiles {
  readonly #parts: HarFilesParts;

  constructor(parts: HarFilesParts) {
    this.#parts = parts;
  }

  async make(
    { projectId, live }: HarOwner,
    filter: NetworkFilter,
    options: Omit<HarOptions, 'mask'>,
  ): Promise<Buffer> {
    const mask = (json: string): string => this.#parts.maskJson(projectId, json);
    return Buffer.from(await live.network.har(filter, { ...options, mask, share: shareOf(projectId) }));
  }

  keep({ projectId, id: browserId, epoch }: HarOwner, body: Buffer): Promise<ArtifactRecord> {
    return this.#parts.artifacts.add({
      projectId,
      browserId,
      kind: 'file',
      source: 'har',
      name: `network-${epoch}.har`,
      mimeType: 'application/json',
      body,
      expectedBytes: body.length,
      limitBytes: body.length,
    });
  }

  /** Once, as its Chromium ends; a disk that is full, or a project without room, costs the HAR and nothing else. */
  async keepWhole(owner: HarOwner): Promise<void> {
    if (!owner.live.network.takeWhole()) return;
    try {
      await this.keep(owner, await this.make(owner, {}, atEnd));
    } catch (error) {
      this.#parts.log.warn({ err: error, browserId: owner.id }, 'har.not_kept');
    }
  }
}
