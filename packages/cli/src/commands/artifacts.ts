import type { api, Browser, Content, Listing } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call } from '../call.ts';
import { Failure } from '../failure.ts';
import { firstOf, type ListOptions, listOptions, pageSize } from '../listing.ts';
import { oneByOne } from '../one-by-one.ts';
import { refuseTerminal, type SaveOptions, safeName, save, takesPlace, tellSaved } from '../save.ts';
import type { Column } from '../table.ts';
import { whichBrowser } from '../which-browser.ts';

/** What files, downloads and recordings of a browser have in common: they are listed, saved and deleted. */
export interface Artifacts<Item> {
  /** `file`, `download`, `recording`. */
  noun: string;
  of(browser: Browser): {
    list(options: { limit: number; signal: AbortSignal }): Listing<Item>;
    content(id: string, options: { signal: AbortSignal }): Promise<Content>;
    delete(id: string, options: { signal: AbortSignal }): Promise<api.DeletedArtifact>;
  };
  columns: Column<Item>[];
}

export function addListing<Item>(group: Command, { noun, of, columns }: Artifacts<Item>): void {
  listOptions(group.command('list <browser>').alias('ls').description(`${noun}s of a browser`)).action(
    act(async (call: Call<ListOptions>, name: string) => {
      const held = of(await whichBrowser(call, name));
      const items = await firstOf(call, held.list({ limit: pageSize(call), signal: call.signal }));
      call.out.list(items, columns, `No ${noun}s.`);
    }),
  );
}

export interface SaveCommand<Item> extends Artifacts<Item> {
  /** How the command is called. */
  verb: string;
  /** Before the bytes are asked for: waits, where that was asked for. */
  before?(call: Call<SaveOptions & { wait?: boolean }>, browser: Browser, id: string): Promise<void>;
}

/** Where nothing is said, in the folder in which the person is; a program that reads gets the bytes with `-o -`. */
export function addSave<Item>(group: Command, { noun, of, verb, before }: SaveCommand<Item>): Command {
  return takesPlace(
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
      tellSaved(call, path, content, { id });
    }),
  );
}

export function addDelete<Item>(group: Command, { noun, of }: Artifacts<Item>): void {
  group
    .command(`delete <browser> <${noun}-ids...>`)
    .alias('rm')
    .description(`delete ${noun}s`)
    .action(
      act(async (call: Call, name: string, ids: string[]) => {
        const { out, signal } = call;
        const held = of(await whichBrowser(call, name));
        const remove = (id: string): Promise<api.DeletedArtifact> => held.delete(id, { signal });
        await oneByOne(out, ids, remove, ({ id }) => ({ id, words: `${id} is deleted` }));
      }),
    );
}

/** An end that is not the hoped for one. */
export const notThere = (id: string, state: string, why: string | undefined): Failure =>
  new Failure(`${id} is ${state}${why ? `: ${why}` : '.'}`);
