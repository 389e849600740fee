/**
 * The bytes of a download lie with the service, not here. When a script wants them (`path`, `saveAs`,
 * `createReadStream`) they are fetched first, to where Playwright looks for them: a file named after the download's
 * guid.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ClientConnection, ServerArtifact } from './playwright-inside.ts';

export function fetchDownloads(connection: ClientConnection, fetch: (guid: string) => Promise<Buffer>): void {
  const dispatch = connection.dispatch;
  let prepared = false;
  connection.dispatch = (message) => {
    dispatch.call(connection, message);
    const { method, params } = message as { method?: string; params?: { type?: string; guid?: string } };
    if (prepared || method !== '__create__' || params?.type !== 'Artifact') return;
    prepared = true;
    const artifact = connection.toImpl({ _guid: params.guid }) as ServerArtifact;
    fetchBefore(Object.getPrototypeOf(artifact), async (path) => {
      if (!existsSync(path)) await writeFile(path, await fetch(basename(path)));
    });
  };
}

function fetchBefore(artifact: ServerArtifact, ensure: (path: string) => Promise<void>): void {
  const { _localPathAfterFinished, saveAs } = artifact;
  artifact._localPathAfterFinished = async function () {
    const path = await _localPathAfterFinished.call(this);
    await ensure(path);
    return path;
  };
  artifact.saveAs = function (progress, save) {
    saveAs.call(this, progress, async (path, error) => {
      const problem = error ?? (await ensure(path).catch((reason: Error) => reason));
      await save(path, problem ?? undefined);
    });
  };
}
