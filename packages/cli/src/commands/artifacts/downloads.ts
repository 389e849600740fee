/** `downloads`: what pages have downloaded, also while it still comes in. */
import type { api, Browser } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import { examples } from '../../options/options.ts';
import { ago, size } from '../../output/output.ts';
import { type Artifacts, addAddress, addDelete, addListing, addSave, notThere } from './shared-commands.ts';

const downloads: Artifacts<api.Download> = {
  noun: 'download',
  of: (browser) => browser.downloads,
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'NAME', value: ({ suggestedFilename }) => suggestedFilename, flexible: true },
    { title: 'STATE', value: ({ state }) => state },
    { title: 'SIZE', value: ({ receivedBytes }) => size(receivedBytes), right: true },
    { title: 'FROM', value: ({ url }) => url, flexible: true },
    { title: 'STARTED', value: ({ startedAt }) => ago(startedAt) },
  ],
};

export function addDownloads(program: Command): void {
  const group = program
    .command('downloads')
    .description('what pages of a browser have downloaded')
    .addHelpText(
      'after',
      examples('browserd downloads list shop', 'browserd downloads save shop download_… --wait'),
    );
  addListing(group, downloads);
  group
    .command('get <browser> <download-id>')
    .description('how far a download is')
    .option('--wait', 'until it is over')
    .addHelpText('after', examples('browserd downloads get shop download_… --wait'))
    .action(
      act(async (call: Call<{ wait?: boolean }>, name: string, id: string) => {
        const browser = await whichBrowser(call, name);
        const found = call.options.wait
          ? await finished(call, browser, id)
          : await browser.downloads.get(id, call);
        call.out.one(found, [
          ['id', found.id],
          ['name', found.suggestedFilename],
          ['state', found.state],
          ['reason', found.message ?? found.reason],
          [
            'received',
            `${size(found.receivedBytes)}${found.totalBytes ? ` of ${size(found.totalBytes)}` : ''}`,
          ],
          ['type', found.mimeType],
          ['from', found.url],
          ['sha256', found.sha256],
        ]);
      }),
    );
  addSave(group, { ...downloads, verb: 'save', before: waitIfRequested })
    .option('--wait', 'until it is over')
    .addHelpText(
      'after',
      examples(
        'browserd downloads save shop download_… --wait',
        'browserd downloads save shop download_… -o -',
      ),
    );
  addAddress(group, downloads);
  addDelete(group, downloads);
}

async function waitIfRequested(call: Call<{ wait?: boolean }>, browser: Browser, id: string): Promise<void> {
  if (!call.options.wait) return;
  const { state, message, reason } = await finished(call, browser, id);
  if (state !== 'completed') throw notThere(id, state, message ?? reason);
}

async function finished({ out, signal }: Call, browser: Browser, id: string): Promise<api.Download> {
  using progress = out.progress();
  progress.say(`waiting for ${id} …`);
  return await browser.downloads.finished(id, { signal });
}
