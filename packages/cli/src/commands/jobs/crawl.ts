/** `crawl`: the pages of a site, each as a file. */
import type { Command } from 'commander';
import { act, type Call } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import { examples } from '../../options/options.ts';
import { addressOf } from '../quick/quick.ts';
import { type PageFlags, pageFrom, type SiteFlags, siteFrom, takesPage, takesSite } from './job-options.ts';
import { type FolderFlags, jobIntoFolder, takesFolder } from './run-job.ts';

interface CrawlFlags extends SiteFlags, Omit<PageFlags, 'profile'>, FolderFlags {}

export function addCrawl(program: Command): void {
  takesPage(
    takesSite(
      takesFolder(program.command('crawl [url]').description('the pages of a site, each as a file')),
      100,
    ),
  )
    .addHelpText(
      'after',
      examples(
        'browserd crawl https://example.com --out pages',
        "browserd crawl https://example.com/docs --include '/docs/*' --max-pages 500 --out docs",
        'browserd crawl https://example.com --action screenshot --full-page --out pictures',
        'ID=$(browserd crawl https://example.com --detach)',
        'browserd crawl --resume job_… --out pages',
      ),
    )
    .action(
      act((call: Call<CrawlFlags>, url: string | undefined) =>
        jobIntoFolder(call, () => {
          if (url === undefined) throw wrongUsage('Which site? browserd crawl URL --out FOLDER');
          return {
            kind: 'crawl',
            url: addressOf(url, ''),
            ...siteFrom(call.options),
            ...pageFrom(call.options),
          };
        }),
      ),
    );
}
