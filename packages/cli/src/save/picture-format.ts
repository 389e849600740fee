/** The picture format that a file name asks for; the service decides about any other name. */
import type { api } from '@browserd/sdk';

export function pictureFormat(file: string | undefined): api.QuickScreenshot['format'] {
  if (/\.jpe?g$/i.test(file ?? '')) return 'jpeg';
  return /\.webp$/i.test(file ?? '') ? 'webp' : undefined;
}
