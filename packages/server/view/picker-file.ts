// Files for a file input of the page: picked here, uploaded to the browser over HTTP with the token of this address, and
// given to the page by their ids. Cancelling ends the upload.

import type { Picker } from '../src/page/view/picker.ts';

interface Parts {
  /** Where a file of this name is uploaded to. */
  addressOf(name: string): string;
  busy(text: string): void;
  done(ids: string[]): void;
  failed(why: string): void;
}

interface Answer {
  id: string;
  error?: { message?: string };
}

export function fileField({ accept, multiple = false }: Picker, { addressOf, busy, done, failed }: Parts) {
  const field = document.createElement('input');
  field.type = 'file';
  field.multiple = multiple;
  if (accept) field.accept = accept;
  field.setAttribute('aria-label', multiple ? 'Files' : 'File');
  let ending = new AbortController();

  async function upload(file: File, signal: AbortSignal): Promise<string> {
    const response = await fetch(addressOf(file.name), {
      method: 'POST',
      body: file,
      headers: { 'content-type': file.type || 'application/octet-stream' },
      signal,
    });
    const answer: Answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error?.message ?? `The service answered ${response.status}.`);
    return answer.id;
  }
  field.onchange = async () => {
    const files = [...(field.files ?? [])];
    if (files.length === 0) return;
    ending = new AbortController();
    const { signal } = ending;
    field.disabled = true;
    try {
      const ids: string[] = [];
      for (const [at, file] of files.entries()) {
        busy(`Uploading ${file.name}${files.length > 1 ? ` (${at + 1} of ${files.length})` : ''} …`);
        ids.push(await upload(file, signal));
      }
      done(ids);
    } catch (error) {
      if (signal.aborted) return;
      field.disabled = false;
      field.value = '';
      failed(`The upload failed: ${(error as Error).message}`);
    }
  };
  return { field, end: (): void => ending.abort() };
}
