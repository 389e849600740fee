/** Reading a page: its main text, lists and data, of a quick action's page or of a tab. */
export { type Onward, readOnward } from './onward.ts';
export { gatheringFor, scrape } from './scrape.ts';
export { TabScrapes } from './tab-scrape.ts';
