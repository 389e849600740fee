/** Puts saved local storage back, from inside a page of its origin: there is no other way to reach it. */
export function fill(entries: string): void {
  for (const [key, value] of JSON.parse(entries) as [string, string][]) localStorage.setItem(key, value);
}

export function replace(entries: string): void {
  localStorage.clear();
  fill(entries);
}
