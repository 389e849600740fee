/** Whether the storage that the operator chose for bytes keeps, gives back and removes them, as the service will try at its start. */
import { type BlobsConfig, checkBlobs } from '../../artifacts/artifacts.ts';
import { type Finding, fail, messageOf, ok } from './finding.ts';

const name = 'storage';

export async function checkStorage(config: BlobsConfig): Promise<Finding> {
  const place = (config.blobs ?? '').replace(/\?.*/, '');
  try {
    await checkBlobs(config);
    return ok(name, `${place}: a few bytes were put, read and removed`);
  } catch (error) {
    return fail(name, messageOf(error), 'What a bucket or a shared folder needs: docs/storage.md');
  }
}
