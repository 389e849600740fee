/** The number of pages in a PDF. Chromium writes page objects uncompressed, so no PDF parser is needed. */
export const pagesIn = (text: string): number => text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
