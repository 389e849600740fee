/** `files` as a script sees it, and the bytes of what it downloads. */
import { buffer } from 'node:stream/consumers';
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { iso } from '../../kit/clock.ts';
import type { FilesHandler } from '../../runner/runner.ts';
import type { Masks } from '../../secrets/secrets.ts';

const largestWritten = 32 * 1024 ** 2;

export function scriptFiles(
  artifacts: Artifacts,
  running: Running,
  masks: Pick<Masks, 'isIn'>,
): FilesHandler {
  const owner = { projectId: running.projectId, browserId: running.id };
  return {
    async path(fileId) {
      const record = await artifacts.get(owner, fileId);
      const gone = () =>
        new ApiError('FILE_NOT_FOUND', `There is no file ${fileId.slice(0, 64)} of this browser.`);
      // A download has bytes once it is completed.
      if (!record?.sha256) throw gone();
      const path = await running.live.files.lend(record, () => artifacts.borrowed(record, gone));
      return { path, name: record.name };
    },
    async write({ name, mimeType, data }) {
      if (await masks.isIn(running.projectId, data))
        throw new ApiError(
          'SECRET_IN_FILE',
          'The file holds the value of a secret of this project, so it was not kept.',
        );
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
    async download(guid, limitBytes) {
      const id = await running.live.downloads.idOf(guid);
      const record = id && (await artifacts.get(owner, id));
      if (!record) throw new ApiError('DOWNLOAD_NOT_FOUND', 'There is no such download any more.');
      if (record.size > limitBytes)
        throw new ApiError(
          'PAYLOAD_TOO_LARGE',
          `The download has ${record.size} bytes; a script can read ${limitBytes}. Get it with GET …/downloads/${id}/content.`,
        );
      const body = record.state === 'completed' ? await artifacts.open(record) : undefined;
      if (!body)
        throw new ApiError('DOWNLOAD_FAILED', `The download has no content. ${record.details.message ?? ''}`);
      return buffer(body);
    },
  };
}
