import type { api } from '@browserd/sdk';

/** By the name of the file; what it does not tell is left to the service. */
export function pictureFormat(file: string | undefined): api.QuickScreenshot['format'] {
  if (/\.jpe?g$/i.test(file ?? '')) return 'jpeg';
  return /\.webp$/i.test(file ?? '') ? 'webp' : undefined;
}
