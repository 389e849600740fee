/** Chromium writes each page as an object in the open, so they can be counted without reading PDF. */
export const pagesIn = (text: string): number => text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
