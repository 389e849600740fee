/** `browsers open`: the live view in the web browser of this machine. */
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import { Failure } from '../../failure.ts';
import { examples, seconds, several, withoutGaps } from '../../options/options.ts';
import { ahead } from '../../output/output.ts';
import { openAddress } from './open-address.ts';

interface OpenOptions {
  view?: boolean;
  print?: boolean;
  ttl?: number;
  tab?: string;
  embed?: string[];
}

/**
 * The page reconnects with this address after a stop or a crash, so it must last. While it opens, it is in the list of
 * processes: where others can read that, `--print` or a short `--ttl` is better.
 */
const openedTtl = 3600;

export function addOpen(browsers: Command): void {
  browsers
    .command('open <browser>')
    .description('see a browser live in your own web browser, and take it over')
    .option('--view', 'watch only')
    .option('--print', 'print the address instead of opening it; whoever has it may come in')
    .option('--tab <tab>', 'show and control this tab only')
    .option('--embed <origin>', 'let pages of this origin show it in a frame; may be repeated', several)
    .option('--ttl <time>', 'how long the address can be used to connect, 1h unless given', seconds)
    .addHelpText(
      'after',
      examples(
        'browserd browsers open shop',
        'browserd browsers open shop --view --print --ttl 1h',
        'browserd browsers open shop --print --embed https://app.example.com',
      ),
    )
    .action(
      act(async (call: Call<OpenOptions>, name: string) => {
        const { view, print, ttl, tab: tabId, embed: frameAncestors } = call.options;
        const browser = await whichBrowser(call, name);
        const address = async () => {
          const ttlSeconds = ttl ?? openedTtl;
          const mode = view ? 'view' : 'control';
          const asked = { mode, ttlSeconds, ...withoutGaps({ tabId, frameAncestors }) } as const;
          const live = await browser.live(asked, call);
          if (!/^https?:\/\//.test(live.url)) throw new Failure('The service gave no web address.');
          return { ...live, url: new URL(live.url).href };
        };
        if (call.out.json) return call.out.document(await address());
        if (!print) {
          const { url, expiresAt } = await address();
          if (await openAddress(url))
            return call.out.note(`Opened; the address can be used again ${ahead(expiresAt)}.`);
          call.out.warn('No web browser could be started here. Open this address in one:');
        }
        call.out.lines([(await address()).url]);
      }),
    );
}
