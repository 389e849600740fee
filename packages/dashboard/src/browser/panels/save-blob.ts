/**
 * Hands bytes to the user's own downloads. They are given a type that no browser shows or runs, so that a file made by
 * a page cannot become a page of this origin, whatever it says it is.
 */
export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // the download has begun by then; a blob that nobody points at any more frees its memory
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
