/** `browsers create`, and its options, which `run --new` has too. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call, newBrowser } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import {
  dialogsOption,
  duration,
  examples,
  pair,
  profileRef,
  type SettingsOptions,
  seconds,
  settingsFrom,
  several,
  takesSettings,
  wholeNumber,
  withoutGaps,
} from '../../options/options.ts';

export interface CreateOptions extends SettingsOptions {
  startUrl?: string;
  name?: string;
  recording?: boolean;
  engine?: api.CreateBrowser['engine'];
  memoryMb?: number;
  metadata?: Record<string, string>;
  maxDuration?: number;
  idleTimeout?: number;
  dialogs?: api.CreateBrowser['dialogs'];
  extension?: string[];
  profile?: string;
  saveProfile?: 'close' | 'always';
  wait?: number;
}

/** Also the options of `run --new`. */
export const takesCreateOptions = (command: Command): Command =>
  takesSettings(
    command
      .option('--start-url <url>', 'the address to open first')
      .option('--name <text>', 'what to call it')
      .option('--recording', 'record a video of it')
      .addOption(
        new Option('--engine <engine>', 'shell is light, full is all of Chromium').choices(['shell', 'full']),
      )
      .option(
        '--memory-mb <number>',
        'memory that it may use, in MiB; above it its largest page is ended',
        wholeNumber,
      )
      .option('--metadata <name=value>', 'a label of your own; may be repeated', pair)
      .option('--max-duration <time>', 'close it after this, such as 1h', duration)
      .option('--idle-timeout <time>', 'stop it when it was unused for this, such as 10m', duration)
      .addOption(dialogsOption())
      .option('--extension <id>', 'load this extension, with the engine full; may be repeated', several)
      .option('--profile <name>', 'begin with a saved profile, by its name or id')
      .addOption(
        new Option('--save-profile <when>', 'save into it: when it is closed, or always').choices([
          'close',
          'always',
        ]),
      )
      .option('--wait <seconds>', 'wait so long for room when the service is full', seconds),
  );

export function createSettings(options: CreateOptions): api.CreateBrowser {
  const { startUrl, name, recording, engine, memoryMb, metadata, maxDuration, idleTimeout, dialogs } =
    options;
  const own = { startUrl, name, recording, engine, memoryMb, metadata, maxDuration, idleTimeout, dialogs };
  const profile = profileFrom(options);
  const { extension: extensions } = options;
  return { ...settingsFrom(options), ...withoutGaps({ ...own, extensions, profile }) };
}

function profileFrom({ profile, saveProfile }: CreateOptions): api.CreateBrowser['profile'] {
  if (profile === undefined && saveProfile !== undefined)
    throw wrongUsage('--save-profile needs --profile, which names the one to save into.');
  return profile === undefined ? undefined : { ...profileRef(profile), save: saveProfile ?? false };
}

export function addCreate(browsers: Command): void {
  takesCreateOptions(
    browsers.command('create [url]').description('make a browser, and open an address in it'),
  )
    .addHelpText(
      'after',
      examples(
        'browserd browsers create https://example.com --name shop --viewport 1280x720',
        'browserd browsers create --recording --metadata team=red --idle-timeout 10m',
        'browserd browsers create --allow-domain example.com --proxy socks5://127.0.0.1:1080',
        'browserd browsers create https://example.com --consent decline --list ads --rules rules.json',
        'browserd browsers create https://example.com/account --profile shop',
        'browserd browsers create --extension extension_… https://example.com',
        'browserd browsers create --from settings.json --wait 60',
        'ID=$(browserd browsers create --quiet)',
      ),
    )
    .action(
      act(async (call: Call<CreateOptions>, url?: string) => {
        const { startUrl = url, wait } = call.options;
        if (url !== undefined && startUrl !== url) throw wrongUsage('Two addresses to open first: name one.');
        const browser = await newBrowser(call, createSettings({ ...call.options, startUrl }), wait);
        call.out.done(browser.record, browser.id, `${browser.id} is ${browser.record?.status}`);
      }),
    );
}
