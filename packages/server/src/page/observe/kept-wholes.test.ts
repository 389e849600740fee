/** What becomes of an observation that is too long for its answer. */
import { expect, test } from 'vitest';
import type { ArtifactRecord } from '../../artifacts/artifacts.ts';
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { createLog } from '../../kit/log.ts';
import { KeptWholes } from './kept-wholes.ts';

const running = { projectId: 'project_1', id: 'browser_1' } as Running;

function wholes(add: () => ArtifactRecord) {
  const files = new Map<string, ArtifactRecord>();
  const artifacts = {
    add: async () => {
      const record = add();
      files.set(record.id, record);
      return record;
    },
    get: async (_: object, id: string) => files.get(id),
  };
  return { files, kept: new KeptWholes({ artifacts, log: createLog('silent') }) };
}

test('the same text of a tab is kept once, as long as its file is there', async () => {
  let count = 0;
  const { files, kept } = wholes(() => ({ id: `file_${++count}` }) as ArtifactRecord);
  expect(await kept.keep(running, 'tab', 'aria', 'one')).toEqual({ fileId: 'file_1' });
  expect(await kept.keep(running, 'tab', 'aria', 'one')).toEqual({ fileId: 'file_1' });
  expect(await kept.keep(running, 'tab', 'aria', 'two')).toEqual({ fileId: 'file_2' });
  files.clear();
  expect(await kept.keep(running, 'tab', 'aria', 'two')).toEqual({ fileId: 'file_3' });
});

test('a quota that is used up is told, and the answer stands', async () => {
  const { kept } = wholes(() => {
    throw new ApiError('QUOTA_EXCEEDED', 'There is no room.');
  });
  expect(await kept.keep(running, 'tab', 'text', 'one')).toEqual({ omitted: 'There is no room.' });
});
