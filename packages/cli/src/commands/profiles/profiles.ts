/** `profiles`: sign-ins that are kept on their own, and browsers that begin with them. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import {
  act,
  type Call,
  firstOf,
  type ListOptions,
  listOptions,
  pageSize,
  whichBrowser,
} from '../../call/call.ts';
import { examples, jsonObjectFile, pair, wholeNumber, withoutGaps } from '../../options/options.ts';
import { ago, ahead, size } from '../../output/output.ts';
import { addSignIn } from './sign-in.ts';
import { whichProfile } from './which-profile.ts';

interface CreateProfileOptions {
  metadata?: Record<string, string>;
  fromBrowser?: string;
  storageState?: Record<string, unknown>;
  checkUrl?: string;
  checkSelector?: string;
  checkPattern?: string;
}

export function addProfiles(program: Command): void {
  const group = program
    .command('profiles')
    .description('saved sign-ins that browsers begin with')
    .addHelpText(
      'after',
      examples(
        'browserd profiles create shop',
        'browserd profiles sign-in shop https://example.com/login --wait',
        'browserd profiles check shop',
      ),
    );
  listOptions(group.command('list').alias('ls').description('profiles of the project'))
    .option('--metadata <name=value>', 'only those with this label; may be repeated', pair)
    .addHelpText('after', examples('browserd profiles list'))
    .action(
      act(async (call: Call<ListOptions & { metadata?: Record<string, string> }>) => {
        const filter = withoutGaps({ limit: pageSize(call), metadata: call.options.metadata });
        const listing = call.client.profiles.list(filter, { signal: call.signal });
        call.out.list(await firstOf(call, listing), columns, 'No profiles.');
      }),
    );
  takesCheck(
    group
      .command('create [name]')
      .description('make one: empty, from a browser, or from a file of Playwright')
      .option('--metadata <name=value>', 'a label of your own; may be repeated', pair)
      .option('--from-browser <browser>', 'with the state of this browser; of a stopped one with IndexedDB')
      .option('--storage-state <file>', 'with a storageState of Playwright', jsonObjectFile),
  )
    .addHelpText(
      'after',
      examples('browserd profiles create shop', 'browserd profiles create shop --from-browser my-browser'),
    )
    .action(act(create));
  group
    .command('show <profile>')
    .description('what there is of it')
    .addHelpText('after', examples('browserd profiles show shop'))
    .action(act(async (call: Call, name: string) => print(call, await whichProfile(call, name))));
  takesCheck(
    group
      .command('update <profile>')
      .description('change its name, its labels, or how to see whether it is signed in')
      .option('--name <text>', 'what to call it')
      .option('--metadata <name=value>', 'labels in place of those it has; may be repeated', pair),
  )
    .addHelpText('after', examples('browserd profiles update shop --check-url https://example.com/account'))
    .action(act(update));
  group
    .command('delete <profile>')
    .alias('rm')
    .description('with all its versions')
    .addHelpText('after', examples('browserd profiles delete shop'))
    .action(
      act(async (call: Call, name: string) => {
        const { id } = await whichProfile(call, name);
        call.out.done(
          await call.client.profiles.delete(id, { signal: call.signal }),
          id,
          `${name} is deleted`,
        );
      }),
    );
  listOptions(group.command('versions <profile>').description('those that are kept, newest first'))
    .addHelpText('after', examples('browserd profiles versions shop'))
    .action(
      act(async (call: Call<ListOptions>, name: string) => {
        const { id } = await whichProfile(call, name);
        const listing = call.client.profiles.versions(id, { signal: call.signal });
        call.out.list(await firstOf(call, listing), versionColumns, 'Nothing was saved yet.');
      }),
    );
  group
    .command('restore <profile> <version>')
    .description('make an earlier version the newest one')
    .addHelpText('after', examples('browserd profiles restore shop 3'))
    .action(
      act(async (call: Call, name: string, version: string) => {
        const { id } = await whichProfile(call, name);
        const restored = await call.client.profiles.restore(id, wholeNumber(version), {
          signal: call.signal,
        });
        call.out.done(restored, id, `${name} has version ${version} as its version ${restored.version}`);
      }),
    );
  group
    .command('export <profile>')
    .description('cookies and local storage for Playwright, in the clear; needs a key of the role admin')
    .addHelpText('after', examples('browserd profiles export shop > state.json'))
    .action(
      act(async (call: Call, name: string) => {
        const { id } = await whichProfile(call, name);
        call.out.document(await call.client.profiles.export(id, { signal: call.signal }));
      }),
    );
  addSignIn(group);
}

const takesCheck = (command: Command): Command =>
  command
    .option('--check-url <url>', 'a page that only a signed-in visitor gets to see')
    .option('--check-selector <css>', 'signed in when something on it matches')
    .option('--check-pattern <pattern>', 'signed in when the visit ends at such an address');

const checkOf = ({ checkUrl, checkSelector, checkPattern }: CreateProfileOptions) =>
  checkUrl === undefined
    ? undefined
    : withoutGaps({ url: checkUrl, selector: checkSelector, urlPattern: checkPattern });

async function create(call: Call<CreateProfileOptions>, name?: string): Promise<void> {
  const { client, options, out, signal } = call;
  const browserId = options.fromBrowser && (await whichBrowser(call, options.fromBrowser)).id;
  const body = withoutGaps({
    name,
    metadata: options.metadata,
    check: checkOf(options),
    browserId,
    storageState: options.storageState as api.CreateProfile['storageState'],
  });
  const made = await client.profiles.create(body, { signal });
  out.done(made, made.id, `${made.id} is made${made.version > 0 ? ', with what was saved' : ', empty'}`);
}

async function update(call: Call<CreateProfileOptions & { name?: string }>, which: string): Promise<void> {
  const { name, metadata } = call.options;
  const { id } = await whichProfile(call, which);
  const body = withoutGaps({ name, metadata, check: checkOf(call.options) });
  print(call, await call.client.profiles.update(id, body, { signal: call.signal }));
}

function print({ out }: Call, profile: api.Profile): void {
  if (out.quiet && !out.json) {
    out.lines([profile.id]);
    return;
  }
  out.one(profile, [
    ['id', profile.id],
    ['name', profile.name],
    ['version', String(profile.version)],
    ['size', size(profile.size)],
    ['cookies', String(profile.cookieCount)],
    ['sites', profile.cookieDomains.join(', ')],
    ['saved by', profile.writer],
    ['sign-in', profile.health?.state],
    ['used', ago(profile.lastUsedAt)],
    ['expires', ahead(profile.expiresAt)],
  ]);
}

const columns = [
  { title: 'ID', value: ({ id }: api.Profile) => id },
  { title: 'NAME', value: ({ name }: api.Profile) => name, flexible: true },
  { title: 'VERSION', value: ({ version }: api.Profile) => version, right: true },
  { title: 'SIZE', value: ({ size: bytes }: api.Profile) => size(bytes), right: true },
  { title: 'SITES', value: ({ cookieDomains }: api.Profile) => cookieDomains.join(', '), flexible: true },
  { title: 'SIGN-IN', value: ({ health }: api.Profile) => health?.state },
  { title: 'SAVED BY', value: ({ writer }: api.Profile) => writer },
  { title: 'USED', value: ({ lastUsedAt }: api.Profile) => ago(lastUsedAt) },
];

const versionColumns = [
  { title: 'VERSION', value: ({ version }: api.ProfileVersion) => version, right: true },
  { title: 'SAVED', value: ({ createdAt }: api.ProfileVersion) => ago(createdAt) },
  { title: 'FROM', value: ({ source, browserId }: api.ProfileVersion) => browserId ?? source },
  { title: 'SIZE', value: ({ size: bytes }: api.ProfileVersion) => size(bytes), right: true },
  { title: 'COOKIES', value: ({ cookieCount }: api.ProfileVersion) => cookieCount, right: true },
];
