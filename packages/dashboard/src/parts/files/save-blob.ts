/**
 * Saves bytes as a download of the user's web browser. They get a type that no web browser displays or runs, so that a
 * file from a page cannot become a page of this origin, whatever type it claims.
 */
export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // the download has begun by then; revoking the address frees the memory
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
