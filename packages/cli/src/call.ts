import { Browserd } from '@browserd/sdk';
import type { Command } from 'commander';
import { interruption } from './interrupt.ts';
import { Output, type OutputOptions } from './output.ts';
import { type Flags, readSettings, type Settings } from './settings.ts';

/** What every command is given. */
export interface Call<Options = unknown> {
  client: Browserd;
  out: Output;
  /** Goes with every request, so that Ctrl-C ends it. */
  signal: AbortSignal;
  options: Options;
  settings: Settings;
  command: Command;
}

export type Globals = Flags & OutputOptions;

/** Makes an action for commander: its positional arguments come after the call. */
export const act =
  <Options, Args extends unknown[]>(work: (call: Call<Options>, ...args: Args) => Promise<void>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const globals = command.optsWithGlobals<Globals>();
    const settings = await readSettings(globals, process.env, process.cwd());
    const call = {
      client: new Browserd({ baseUrl: settings.url, apiKey: settings.key ?? '' }),
      out: new Output(globals),
      signal: interruption,
      options: command.opts<Options & object>(),
      settings,
      command,
    };
    await work(call, ...(given.slice(0, -2) as Args));
  };
