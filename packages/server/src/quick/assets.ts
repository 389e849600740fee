/** Files beside a page that was sent along, whose bytes lie in files of the project: read before a browser is taken for them. */
import type { ProjectFiles } from '../files/files.ts';
import type { Asset, WantedAsset } from '../page/visit/schema.ts';

/** As much as one that comes in base64 may have, and all of them together. */
const mostBytes = 10_500_000;
const mostBytesOfAll = 50_000_000;

export async function readAssets(
  files: Pick<ProjectFiles, 'read'>,
  projectId: string,
  wanted: readonly WantedAsset[],
): Promise<Asset[]> {
  const assets: Asset[] = [];
  let room = mostBytesOfAll;
  for (const { name, content = '', fileId } of wanted) {
    if (fileId === undefined) {
      assets.push({ name, content });
      continue;
    }
    const { bytes } = await files.read(projectId, fileId, Math.min(mostBytes, room));
    room -= bytes.length;
    assets.push({ name, content: bytes.toString('base64') });
  }
  return assets;
}
