/** Files of a browser with which its rules answer: looked at when the rules are set, read when a page asks. */
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { Policy } from '../record/policy-schema.ts';
import { filesIn, invalid } from '../record/record.ts';
import type { FileBody } from './answers.ts';

/** It is held in memory and sent to Chromium as one message. */
const largestFile = 10 * 1024 ** 2;

interface Owner {
  projectId: string;
  browserId: string;
}

export class RuleFiles {
  readonly #artifacts: Artifacts;

  constructor(artifacts: Artifacts) {
    this.#artifacts = artifacts;
  }

  /** Undefined: it was deleted meanwhile. */
  async read(owner: Owner, fileId: string): Promise<FileBody | undefined> {
    const record = await this.#find(owner, fileId);
    const chunks = record && (await this.#artifacts.open(record));
    return chunks && { bytes: Buffer.concat(await chunks.toArray()), mimeType: record.mimeType };
  }

  async refuseMissing(policy: Policy | undefined, owner: Owner): Promise<void> {
    for (const fileId of filesIn(policy)) {
      if (await this.#find(owner, fileId)) continue;
      throw invalid(
        ['policy', 'rules'],
        `names ${fileId}, which is no file of this browser, or larger than ${largestFile} bytes. Upload it first: POST /v1/browsers/${owner.browserId}/files.`,
      );
    }
  }

  async #find(owner: Owner, fileId: string) {
    const record = await this.#artifacts.get(owner, fileId);
    return record?.kind === 'file' && record.size <= largestFile ? record : undefined;
  }
}

/** Of what is only being made, or never has any. */
export function refuseFiles(policy: Policy | undefined): void {
  const [fileId] = filesIn(policy);
  if (fileId !== undefined)
    throw invalid(
      ['policy', 'rules'],
      `names ${fileId}, but there are no files yet: use \`body\`, or create the browser, upload the file and set the rule with PATCH`,
    );
}
