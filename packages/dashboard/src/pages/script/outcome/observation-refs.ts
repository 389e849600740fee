/** An observation in pieces: text, and the references that a script can use. */
export type Piece = { text: string } | { ref: string };

export function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of content.matchAll(/\[ref=((?:f\d+)?e\d+)\]/g)) {
    if (match.index > end) pieces.push({ text: content.slice(end, match.index) });
    pieces.push({ ref: match[1] as string });
    end = match.index + match[0].length;
  }
  if (end < content.length) pieces.push({ text: content.slice(end) });
  return pieces;
}

export const locatorOf = (ref: string): string => `page.locator('aria-ref=${ref}')`;
