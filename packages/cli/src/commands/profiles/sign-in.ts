/** `profiles check` and `profiles sign-in`: whether a profile is signed in, and a person who signs it in. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call } from '../../call/call.ts';
import { examples, type SettingsOptions, seconds, settingsFrom, several } from '../../options/options.ts';
import { ahead } from '../../output/output.ts';
import { whichProfile } from './which-profile.ts';

interface PersonOptions extends Pick<SettingsOptions, 'allowPrivate'> {
  message?: string;
  ttl?: number;
  handoff?: boolean;
  wait?: boolean;
}

const takesPerson = (command: Command): Command =>
  command
    .option('-m, --message <text>', 'what to do, shown to the person')
    .option('--ttl <time>', 'how long the address can be used, such as 1h', seconds)
    .option('--allow-private <target>', 'reach private addresses, such as localhost', several);

const wishes = ({ message, ttl: ttlSeconds, allowPrivate }: PersonOptions) => {
  const { policy } = settingsFrom({ allowPrivate });
  return { message, ttlSeconds, ...(policy && { policy }) };
};

export function addSignIn(group: Command): void {
  takesPerson(
    group
      .command('check <profile>')
      .description('see whether it is signed in; the exit code is 1 when it is not')
      .option('--handoff', 'when it is not: open a browser for a person, and print its address'),
  )
    .addHelpText('after', examples('browserd profiles check shop', 'browserd profiles check shop --handoff'))
    .action(act(check));
  takesPerson(
    group
      .command('sign-in <profile> [url]')
      .description('open a browser for a person, saved when it is handed back')
      .option('--wait', 'until the person has handed back'),
  )
    .addHelpText('after', examples('browserd profiles sign-in shop https://example.com/login --wait'))
    .action(act(signIn));
}

async function check(call: Call<PersonOptions>, name: string): Promise<void> {
  const { client, options, out, signal } = call;
  const { id } = await whichProfile(call, name);
  const body = { ...wishes(options), handoff: options.handoff };
  const {
    state,
    finalUrl,
    reason,
    signIn: opened,
    ...rest
  } = await client.profiles.check(id, body, { signal });
  if (out.quiet && !out.json) out.lines([state]);
  else
    out.one({ state, finalUrl, reason, ...(opened && { signIn: opened }), ...rest }, [
      ['state', state],
      ['address', finalUrl],
      ['reason', reason],
      ['sign in at', opened?.url],
    ]);
  if (state !== 'signed_in') process.exitCode = 1;
}

async function signIn(call: Call<PersonOptions>, name: string, url?: string): Promise<void> {
  const { client, options, out, signal } = call;
  const { id } = await whichProfile(call, name);
  const opened = await client.profiles.signIn(id, { ...wishes(options), url }, { signal });
  if (!options.wait) return print(call, opened);
  // The address is needed now; the document of --json is the profile as it was saved.
  if (out.json) out.failDocument(opened);
  else out.lines([opened.url]);
  using progress = out.progress();
  progress.say('waiting for the person to hand back …');
  await untilClosed(call, opened.browserId);
  const saved = await client.profiles.get(id, { signal });
  out.done(saved, saved.id, `${name} is saved as version ${saved.version}`);
}

/** It is closed by the service, once it is handed back. */
async function untilClosed({ client, signal }: Call, browserId: string): Promise<void> {
  const over = ['browser.closed', 'browser.failed'] as const;
  for await (const event of client.browser(browserId).events.follow({ lastEventId: 0, signal }))
    if (over.some((type) => type === event.type)) return;
}

const print = ({ out }: Call, { browserId, url, expiresAt }: api.SignInBrowser): void =>
  out.quiet && !out.json
    ? out.lines([url])
    : out.one({ browserId, url, expiresAt }, [
        ['browser', browserId],
        ['address', url],
        ['usable', ahead(expiresAt)],
      ]);
