/** `cdp`: an address for Playwright, Puppeteer or any other CDP client. */
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../call/call.ts';
import { examples, seconds, withoutGaps } from '../options/options.ts';

export function addCdp(program: Command): void {
  program
    .command('cdp <browser>')
    .description('an address for a CDP client; it is a secret, because it lets in')
    .option('--ttl <time>', 'how long it can be used, such as 1h', seconds)
    .addHelpText(
      'after',
      examples('browserd cdp shop', 'CDP_URL=$(browserd cdp shop --ttl 1h) node script.js'),
    )
    .action(
      act(async (call: Call<{ ttl?: number }>, name: string) => {
        const browser = await whichBrowser(call, name);
        const options = { ...withoutGaps({ ttlSeconds: call.options.ttl }), signal: call.signal };
        const url = await browser.playwright(options);
        if (call.out.json) call.out.document({ browserId: browser.id, url });
        else call.out.lines([url]);
      }),
    );
}
