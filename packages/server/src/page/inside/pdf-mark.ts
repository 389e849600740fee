/** Known in this world alone, not to the page: its document was made from a PDF, of which some pages may be left out. */
const world = globalThis as { pdf?: { cut: boolean } };

export const markPdf = (cut: boolean): void => {
  world.pdf = { cut };
};
export const pdfHere = (): { cut: boolean } | undefined => world.pdf;
