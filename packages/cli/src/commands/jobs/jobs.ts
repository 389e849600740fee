/** `crawl`, `batch`, `map` and `jobs`: many pages by one job of the service. */
export { addBatch } from './batch.ts';
export { addCrawl } from './crawl.ts';
export { addJobs } from './manage.ts';
export { addMap } from './map.ts';
