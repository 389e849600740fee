/** `permissions`: what the pages of a browser may do without asking, such as reading the place or the clipboard. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../call/call.ts';
import { wrongUsage } from '../failure.ts';
import { examples, pair, withoutGaps } from '../options/options.ts';

interface OriginOptions {
  origin?: string;
}

export function addPermissions(program: Command): void {
  const group = program
    .command('permissions')
    .description('what the pages of a browser may do')
    .addHelpText(
      'after',
      examples('browserd permissions show shop', 'browserd permissions set shop geolocation=granted'),
    );
  group
    .command('show <browser>')
    .description('all that is set')
    .addHelpText('after', examples('browserd permissions show shop'))
    .action(
      act(async (call: Call, name: string) => {
        const { permissions } = await whichBrowser(call, name);
        show(call, await permissions.get({ signal: call.signal }));
      }),
    );
  group
    .command('set <browser> <permissions...>')
    .description('such as geolocation=granted camera=denied; prompt: as if it was never asked')
    .option('--origin <origin>', 'only for this one, such as https://example.com')
    .addHelpText(
      'after',
      examples('browserd permissions set shop geolocation=granted --origin https://example.com'),
    )
    .action(
      act(async (call: Call<OriginOptions>, name: string, given: string[]) => {
        const { permissions } = await whichBrowser(call, name);
        const body = { ...withoutGaps({ origin: call.options.origin }), permissions: read(given) };
        show(call, await permissions.set(body, { signal: call.signal }));
      }),
    );
  group
    .command('clear <browser>')
    .description('forget what was set, for one origin or for all')
    .option('--origin <origin>', 'only of this one')
    .addHelpText('after', examples('browserd permissions clear shop'))
    .action(
      act(async (call: Call<OriginOptions>, name: string) => {
        const { permissions } = await whichBrowser(call, name);
        const body = withoutGaps({ origin: call.options.origin });
        show(call, await permissions.clear(body, { signal: call.signal }));
      }),
    );
}

const states: readonly string[] = ['granted', 'denied', 'prompt'] satisfies api.PermissionState[];

function read(given: string[]): Record<string, api.PermissionState> {
  const read = given.reduce<Record<string, string>>((before, text) => pair(text, before), {});
  for (const [name, state] of Object.entries(read))
    if (!states.includes(state))
      throw wrongUsage(`"${name}=${state}": expected granted, denied or prompt behind the =.`);
  return read as Record<string, api.PermissionState>;
}

const show = ({ out }: Call, { permissions, origins }: api.Permissions): void =>
  out.one({ permissions, origins }, [
    ...Object.entries(permissions),
    ...Object.entries(origins).flatMap(([origin, own]) =>
      Object.entries(own).map(([name, state]): [string, string] => [`${name} at ${origin}`, state]),
    ),
  ]);
