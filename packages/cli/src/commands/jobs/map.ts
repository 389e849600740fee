/** `map`: the addresses of a site, a line each, as they are found. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call } from '../../call/call.ts';
import { examples, type SettingsOptions, settingsFrom, takesSettings } from '../../options/options.ts';
import { oneLine } from '../../output/output.ts';
import { addressOf } from '../quick/quick.ts';
import { type SiteFlags, siteFrom, takesSite } from './job-options.ts';
import { cancelledBy, detached, following, throwUnlessDone } from './run-job.ts';

export function addMap(program: Command): void {
  takesSettings(
    takesSite(program.command('map <url>').description('the addresses of a site, one a line'), 5000),
  )
    .addHelpText(
      'after',
      examples(
        'browserd map https://example.com',
        "browserd map https://example.com --include '/blog/*' > addresses.txt",
        'browserd map https://example.com --json',
      ),
    )
    .action(act(map));
}

async function map(call: Call<SiteFlags & SettingsOptions>, url: string): Promise<void> {
  const { client, signal, out, options } = call;
  const wanted = {
    kind: 'map' as const,
    url: addressOf(url, ''),
    ...siteFrom(options),
    options: settingsFrom(options),
  };
  if (options.detach) return detached(call, wanted);
  const job = await client.jobs.create(wanted, { signal });
  await cancelledBy(call, job, `browserd jobs results ${job.id}`, async () => {
    const found: api.JobResult[] = [];
    const ended = await following(call, job, async () => {
      const results = client.jobs.follow(job.id, { signal });
      for (;;) {
        signal.throwIfAborted();
        const { done, value } = await results.next();
        if (done) return value;
        if (out.json) found.push(value);
        else if (value.url) out.lines([oneLine(value.url)]);
      }
    });
    if (out.json) out.document(found);
    throwUnlessDone(ended);
  });
}
