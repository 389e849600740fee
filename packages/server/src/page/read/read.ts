/** Reading a page: its main text, lists and data, of a quick action's page or of a tab. */
export { scrape } from './scrape.ts';
export { TabScrapes } from './tab-scrape.ts';
