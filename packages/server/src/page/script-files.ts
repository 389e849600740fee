import type { Artifacts } from '../artifacts/artifacts.ts';
import type { Running } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import { iso } from '../kit/clock.ts';
import type { FilesHandler } from '../runner/runner.ts';

/** `files` as a script sees it, and the bytes of what it downloads. */
const largestWritten = 32 * 1024 ** 2;

export function scriptFiles(artifacts: Artifacts, running: Running): FilesHandler {
  const owner = { projectId: running.projectId, browserId: running.id };
  return {
    async path(fileId) {
      const record = await artifacts.get(owner, fileId);
      if (!record)
        throw new ApiError('FILE_NOT_FOUND', `There is no file ${fileId.slice(0, 64)} of this browser.`);
      const path = await running.live.files.lend(await artifacts.path(record), record.name);
      return { path, name: record.name };
    },
    async write({ name, mimeType, data }) {
      const made = await artifacts.add({
        ...owner,
        kind: 'file',
        source: 'script',
        name,
        mimeType,
        body: data,
        expectedBytes: data.length,
        limitBytes: largestWritten,
      });
      const { id, size, sha256 } = made;
      return { id, name: made.name, size, mimeType: made.mimeType, sha256, createdAt: iso(made.createdAt) };
    },
    download: (guid) => running.live.files.download(guid),
  };
}
