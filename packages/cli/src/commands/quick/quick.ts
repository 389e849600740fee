/** `scrape`, `screenshot` and `pdf`: one page, one call. */
export { addPdf, addScreenshot } from './pictures.ts';
export { addressOf } from './quick-options.ts';
export { addScrape } from './scrape.ts';
