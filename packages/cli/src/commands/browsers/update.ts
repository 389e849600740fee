/** `browsers update`: changes of a living browser, where `none` takes a setting away. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import {
  devices,
  dialogsOption,
  duration,
  examples,
  jsonObjectFile,
  pair,
  withoutGaps,
} from '../../options/options.ts';

interface UpdateOptions {
  name?: string;
  metadata?: Record<string, string>;
  maxDuration?: number;
  idleTimeout?: number | null;
  proxy?: string | null;
  dialogs?: api.PatchBrowser['dialogs'];
  device?: api.PatchBrowser['device'];
  colorScheme?: api.PatchBrowser['colorScheme'];
  from?: Record<string, unknown>;
}

const orNone =
  <Value>(read: (text: string) => Value) =>
  (text: string): Value | null =>
    text === 'none' ? null : read(text);

export function addUpdate(browsers: Command): void {
  browsers
    .command('update <browser>')
    .description('change a living browser, without a restart')
    .option('--name <text>', 'what to call it')
    .option('--metadata <name=value>', 'replaces all labels; may be repeated', pair)
    .option('--max-duration <time>', 'close it at this age', duration)
    .option('--idle-timeout <time>', 'stop it when unused for this, or none', orNone(duration))
    .option('--proxy <url>', 'another proxy, or none', orNone(String))
    .addOption(dialogsOption())
    .option('--device <name>', `another device, or none: ${devices.join(', ')}`, orNone(String))
    .option('--color-scheme <scheme>', 'light, dark or none', orNone(String))
    .option('--from <file>', 'a JSON file with any of these and policy; options win over it', jsonObjectFile)
    .addHelpText(
      'after',
      examples(
        'browserd browsers update shop --idle-timeout none',
        'browserd browsers update shop --from policy.json',
      ),
    )
    .action(
      act(async (call: Call<UpdateOptions>, name: string) => {
        const { from, ...given } = call.options;
        const patch = { ...from, ...withoutGaps(given) };
        if (Object.keys(patch).length === 0)
          throw wrongUsage('Say what to change. See: browserd browsers update --help');
        const record = await (await whichBrowser(call, name)).update(patch, call);
        call.out.done(record, record.id, `${record.id} is changed`);
      }),
    );
}
