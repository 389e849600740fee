/**
 * Known in this world alone, not to the page: its document was made from a PDF, of which some pages may be left out. Two
 * programs share it under a symbol, since an element named like it would stand in for a plain name.
 */
const mark = Symbol.for('browserd pdf');
const world = globalThis as { [mark]?: { cut: boolean } };

export const markPdf = (cut: boolean): void => {
  world[mark] = { cut };
};
export const pdfHere = (): { cut: boolean } | undefined => world[mark];
