import { Browserd } from '@browserd/sdk';
import type { Command } from 'commander';
import { interruption } from './interrupt.ts';
import { Output, type OutputOptions } from './output.ts';
import { type Flags, readSettings, type Settings } from './settings.ts';

/** What every command is given. */
export interface LocalCall<Options = unknown> {
  out: Output;
  /** Goes with every request, so that Ctrl-C ends it. */
  signal: AbortSignal;
  options: Options;
  command: Command;
}

/** And one that speaks to the service. */
export interface Call<Options = unknown> extends LocalCall<Options> {
  client: Browserd;
  settings: Settings;
}

export type Globals = Flags & OutputOptions;

type Action = (...given: unknown[]) => Promise<void>;

/** Makes an action for commander: its positional arguments come after the call. */
export const act = <Options, Args extends unknown[]>(
  work: (call: Call<Options>, ...args: Args) => Promise<void>,
): Action =>
  actLocally<Options, Args>(async (call, ...args) => {
    const globals = call.command.optsWithGlobals<Globals>();
    const settings = await readSettings(globals, process.env, process.cwd());
    const client = new Browserd({ baseUrl: settings.url, apiKey: settings.key ?? '' });
    await work({ ...call, client, settings }, ...args);
  });

/** For what needs no service, and so must not stumble over an address that is wrong. */
export const actLocally =
  <Options, Args extends unknown[]>(
    work: (call: LocalCall<Options>, ...args: Args) => Promise<void>,
  ): Action =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const call = {
      out: new Output(command.optsWithGlobals<Globals>()),
      signal: interruption,
      options: command.opts<Options & object>(),
      command,
    };
    await work(call, ...(given.slice(0, -2) as Args));
  };
