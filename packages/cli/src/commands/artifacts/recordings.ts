/** `recordings`: start, stop and save videos of a browser. */
import type { api, Browser } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import { examples } from '../../options/options.ts';
import { ago, size, span } from '../../output/output.ts';
import { type Artifacts, addAddress, addDelete, addListing, addSave, notThere } from './shared-commands.ts';

const recordings: Artifacts<api.Recording> = {
  noun: 'recording',
  of: (browser) => browser.recordings,
  columns: [
    { title: 'ID', value: ({ id }) => id },
    { title: 'STATE', value: ({ state }) => state },
    {
      title: 'LENGTH',
      value: ({ durationMs }) => (durationMs === undefined ? undefined : span(durationMs)),
      right: true,
    },
    { title: 'SIZE', value: ({ size: bytes }) => size(bytes), right: true },
    { title: 'PICTURE', value: ({ width, height }) => `${width}x${height}` },
    { title: 'STARTED', value: ({ startedAt }) => ago(startedAt) },
  ],
};

export function addRecordings(program: Command): void {
  const group = program
    .command('recordings')
    .description('videos of a browser')
    .addHelpText('after', examples('browserd recordings start shop', 'browserd recordings stop shop --wait'));
  addListing(group, recordings);
  group
    .command('start <browser>')
    .description('record from now on; tells the one that runs, if one does')
    .addHelpText('after', examples('browserd recordings start shop'))
    .action(
      act(async (call: Call, name: string) =>
        printState(call, await (await whichBrowser(call, name)).recordings.start(call)),
      ),
    );
  group
    .command('stop <browser> [recording-id]')
    .description('end a recording: the one that runs unless named')
    .option('--wait', 'until its video is made')
    .addHelpText('after', examples('browserd recordings stop shop --wait'))
    .action(act(stop));
  addSave(group, { ...recordings, verb: 'save', before: waitIfRequested })
    .option('--wait', 'until its video is made')
    .addHelpText(
      'after',
      examples(
        'browserd recordings save shop recording_…',
        'browserd recordings save shop recording_… --wait -o shop.webm',
      ),
    );
  addAddress(group, recordings);
  addDelete(group, recordings);
}

const printState = ({ out }: Call, recording: api.Recording): void =>
  out.done(recording, recording.id, `${recording.id} is ${recording.state}`);

async function stop(call: Call<{ wait?: boolean }>, name: string, given?: string): Promise<void> {
  const { recordings: collection } = await whichBrowser(call, name);
  const id = given ?? (await collection.list({ signal: call.signal, limit: 100 }).all()).find(runs)?.id;
  if (id === undefined) throw notThere('No recording', 'under way', undefined);
  const stopped = await collection.stop(id, call);
  printState(call, call.options.wait ? await collection.finished(id, call) : stopped);
}

const runs = ({ state }: api.Recording): boolean => state === 'recording';

async function waitIfRequested(call: Call<{ wait?: boolean }>, browser: Browser, id: string): Promise<void> {
  if (!call.options.wait) return;
  using progress = call.out.progress();
  progress.say(`waiting for the video of ${id} …`);
  const { state, reason } = await browser.recordings.finished(id, { signal: call.signal });
  if (state !== 'ready') throw notThere(id, state, reason);
}
