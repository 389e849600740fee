/** What commander calls: an action gets its output, its signal and, unless it is local, a client for the service. */
import { Browserd } from '@browserd/sdk';
import type { Command } from 'commander';
import { Output, type OutputOptions } from '../output/output.ts';
import { type Flags, readSettings, type Settings } from '../settings/settings.ts';
import { interruption } from './interrupt.ts';

/** Given to every command. */
export interface LocalCall<Options = unknown> {
  out: Output;
  /** Passed to every request, so that Ctrl-C ends it. */
  signal: AbortSignal;
  options: Options;
  command: Command;
}

/** Given to a command that calls the service. */
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

/** For commands without the service, which must not fail because of a wrong address. */
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
