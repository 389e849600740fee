/** `scrape`, `screenshot` and `pdf`: one page, one call. */
export { addPdf, addScreenshot } from './pictures.ts';
export { addScrape } from './scrape.ts';
