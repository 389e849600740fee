import type { Command } from 'commander';
import { act, type Call } from '../call.ts';
import { Failure } from '../failure.ts';
import { examples } from '../help.ts';
import { openAddress } from '../open-address.ts';
import { seconds } from '../option-values.ts';
import { ahead } from '../units.ts';
import { whichBrowser } from '../which-browser.ts';

interface OpenOptions {
  view?: boolean;
  print?: boolean;
  ttl?: number;
}

export function addOpen(browsers: Command): void {
  browsers
    .command('open <browser>')
    .description('see a browser live in your own web browser, and take it over')
    .option('--view', 'watch only')
    .option('--print', 'print the address instead of opening it; whoever has it may come in')
    .option('--ttl <time>', 'how long the address can be used to connect, such as 10m', seconds)
    .addHelpText(
      'after',
      examples('browserd browsers open shop', 'browserd browsers open shop --view --print --ttl 1h'),
    )
    .action(
      act(async (call: Call<OpenOptions>, name: string) => {
        const { view, print, ttl } = call.options;
        const browser = await whichBrowser(call, name);
        const live = await browser.live({ mode: view ? 'view' : 'control', ttlSeconds: ttl }, call);
        if (call.out.json) return call.out.document(live);
        if (!/^https?:\/\//.test(live.url)) throw new Failure('The service gave no web address.');
        if (!print && (await openAddress(live.url)))
          return call.out.note(`Opened; the address can be used again ${ahead(live.expiresAt)}.`);
        if (!print) call.out.warn('No web browser could be started here. Open this address in one:');
        call.out.lines([live.url]);
      }),
    );
}
