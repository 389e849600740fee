/** Files, downloads and recordings of a browser have four commands in common: list, save, address, delete. */
import type { api, Browser, Content, Listing } from '@browserd/sdk';
import type { Command } from 'commander';
import {
  act,
  type Call,
  firstOf,
  type ListOptions,
  listOptions,
  oneByOne,
  pageSize,
  whichBrowser,
} from '../../call/call.ts';
import { Failure } from '../../failure.ts';
import { examples, seconds } from '../../options/options.ts';
import type { Column } from '../../output/output.ts';
import {
  refuseTerminal,
  reportSaved,
  type SaveOptions,
  safeName,
  save,
  takesOutput,
} from '../../save/save.ts';

export interface Artifacts<Item> {
  /** `file`, `download`, `recording`. */
  noun: string;
  of(browser: Browser): {
    list(options: { limit: number; signal: AbortSignal }): Listing<Item>;
    content(id: string, options: { signal: AbortSignal }): Promise<Content>;
    address(id: string, options: { ttlSeconds?: number; signal: AbortSignal }): Promise<api.ContentAddress>;
    delete(id: string, options: { signal: AbortSignal }): Promise<api.DeletedArtifact>;
  };
  columns: Column<Item>[];
}

export function addListing<Item>(group: Command, { noun, of, columns }: Artifacts<Item>): void {
  listOptions(group.command('list <browser>').alias('ls').description(`${noun}s of a browser`))
    .addHelpText(
      'after',
      examples(`browserd ${noun}s list shop`, `browserd ${noun}s list shop --limit all --json`),
    )
    .action(
      act(async (call: Call<ListOptions>, name: string) => {
        const collection = of(await whichBrowser(call, name));
        const items = await firstOf(call, collection.list({ limit: pageSize(call), signal: call.signal }));
        call.out.list(items, columns, `No ${noun}s.`);
      }),
    );
}

export interface SaveCommand<Item> extends Artifacts<Item> {
  /** The name of the command. */
  verb: string;
  /** Runs before the bytes are fetched; waits with `--wait`. */
  before?(call: Call<SaveOptions & { wait?: boolean }>, browser: Browser, id: string): Promise<void>;
}

/** Saves into the current folder unless `-o` says otherwise; `-o -` pipes the bytes. */
export function addSave<Item>(group: Command, { noun, of, verb, before }: SaveCommand<Item>): Command {
  return takesOutput(
    group.command(`${verb} <browser> <${noun}-id>`).description(`save a ${noun} here`),
    'its name, in this folder',
  ).action(
    act(async (call: Call<SaveOptions & { wait?: boolean }>, name: string, id: string) => {
      const to = call.options.output ?? '.';
      refuseTerminal(call, to, noun);
      const browser = await whichBrowser(call, name);
      await before?.(call, browser, id);
      const content = await of(browser).content(id, { signal: call.signal });
      const path = await save(call, content, { to, name: safeName(content.name, id) });
      reportSaved(call, path, content, { id });
    }),
  );
}

export interface AddressFlags {
  ttl?: number;
}

export const takesTtl = (command: Command): Command =>
  command.option('--ttl <time>', 'how long it can be used: 1h unless given, at most 7d', seconds);

/** On stdout alone, so that it can be piped. */
export const printAddress = ({ out }: Call, made: api.ContentAddress): void => {
  out.done(made, made.url, made.url);
  out.note(`Everybody who has it can read it until ${made.expiresAt}.`);
};

export function addAddress<Item>(group: Command, { noun, of }: Artifacts<Item>): void {
  takesTtl(
    group
      .command(`address <browser> <${noun}-id>`)
      .description(`an address of the content of a ${noun} that needs no key`),
  )
    .addHelpText('after', examples(`browserd ${noun}s address shop ${noun}_… --ttl 7d`))
    .action(
      act(async (call: Call<AddressFlags>, name: string, id: string) => {
        const { ttl: ttlSeconds } = call.options;
        const collection = of(await whichBrowser(call, name));
        printAddress(call, await collection.address(id, { ttlSeconds, signal: call.signal }));
      }),
    );
}

export function addDelete<Item>(group: Command, { noun, of }: Artifacts<Item>): void {
  group
    .command(`delete <browser> <${noun}-ids...>`)
    .alias('rm')
    .description(`delete ${noun}s`)
    .addHelpText('after', examples(`browserd ${noun}s delete shop ${noun}_…`))
    .action(
      act(async (call: Call, name: string, ids: string[]) => {
        const { out, signal } = call;
        const collection = of(await whichBrowser(call, name));
        const remove = (id: string): Promise<api.DeletedArtifact> => collection.delete(id, { signal });
        await oneByOne(out, ids, remove, ({ id }) => ({ id, words: `${id} is deleted` }));
      }),
    );
}

/** The artifact ended in a state that has no bytes. */
export const notThere = (id: string, state: string, why: string | undefined): Failure =>
  new Failure(`${id} is ${state}${why ? `: ${why}` : '.'}`);
