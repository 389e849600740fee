/** A value as JSON to look at. Results may have megabytes, which would block the page, so the text is cut. */
const mostChars = 100_000;

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2) ?? 'undefined';
  return text.length > mostChars
    ? `${text.slice(0, mostChars)}\n… ${text.length - mostChars} more characters`
    : text;
}
