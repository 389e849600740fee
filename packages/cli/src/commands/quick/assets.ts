/** `--asset`: files beside HTML from stdin, under the relative path by which it names them. */
import { readFile } from 'node:fs/promises';
import { normalize, sep } from 'node:path';
import type { api } from '@browserd/sdk';
import { wrongUsage } from '../../failure.ts';

type Asset = NonNullable<api.QuickPdf['assets']>[number];

/** May be repeated. Not split at commas, which names of files have. */
export const oneMore = (text: string, before: string[] = []): string[] => [...before, text];

export async function assetsFrom(given: string[], page: string): Promise<Asset[]> {
  if (page !== '-')
    throw wrongUsage('--asset is for HTML on stdin: browserd pdf - --asset style.css < index.html');
  return Promise.all(given.map(assetOf));
}

async function assetOf(text: string): Promise<Asset> {
  const [, name, fileId] = /^(.+)=(file_[0-9a-z]{26})$/.exec(text) ?? [];
  if (name !== undefined && fileId !== undefined) return { name, fileId };
  const content = await readFile(text, 'base64').catch((error: Error) => {
    throw wrongUsage(`It cannot be sent: ${error.message}`);
  });
  return { name: normalize(text).split(sep).join('/'), content };
}
