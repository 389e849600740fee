/** `--store` of quick actions: what was made is kept in the project, and its address is printed. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import type { Call } from '../../call/call.ts';
import { wrongUsage } from '../../failure.ts';
import { seconds, withoutGaps } from '../../options/options.ts';
import { size } from '../../output/output.ts';

export interface StoreFlags {
  store?: true | string;
  ttl?: number;
  output?: string;
}

type Store = Exclude<api.QuickPdf['store'], boolean | undefined>;

export const takesStore = (command: Command): Command =>
  command
    .option('--store [name]', 'keep it as a file of the project and print an address that needs no key')
    .option('--ttl <time>', 'keep it so long; until it is deleted unless given', seconds);

/** Undefined: the bytes are wanted here. */
export function storeFrom({ store, ttl, output }: StoreFlags): Store | undefined {
  if (store === undefined) {
    if (ttl !== undefined) throw wrongUsage('--ttl says how long --store keeps it, which is missing.');
    return undefined;
  }
  if (output !== undefined)
    throw wrongUsage('With --store nothing is written here: leave -o out, or --store.');
  return withoutGaps({ name: store === true ? undefined : store, ttlSeconds: ttl });
}

export function printStored({ out }: Call, answer: { files?: api.StoredFile[] }): void {
  const files = answer.files ?? [];
  const words = files.map(
    ({ id, name, size: bytes, address }) => `${id}  ${name} (${size(bytes)})\n${address.url}`,
  );
  out.done(answer, files.map(({ id }) => id).join('\n'), words.join('\n'));
}
