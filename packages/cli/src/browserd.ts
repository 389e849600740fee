#!/usr/bin/env node
import { CommanderError } from 'commander';
import {
  AlreadyTold,
  errorDocument,
  exitCodeOf,
  exitCodes,
  explain,
  Interrupted,
  wrongUsage,
} from './failure.ts';
import { interruption, listenForSignals } from './interrupt.ts';
import { Output } from './output.ts';
import { makeProgram } from './program.ts';

/** The process: arguments in, exit code out. */
async function main(): Promise<number> {
  const json = process.argv.includes('--json');
  const program = makeProgram({ silent: json });
  try {
    await program.parseAsync();
    return exitCodes.done;
  } catch (caught) {
    const error = interruption.aborted ? interruption.reason : usageOf(caught, json);
    tell(new Output({ ...program.opts(), json }), error);
    return exitCodeOf(error);
  }
}

/** What commander refused it has told already, in words for people. */
function usageOf(error: unknown, json: boolean): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.exitCode === 0) return new AlreadyTold(exitCodes.done);
  if (!json) return new AlreadyTold(exitCodes.usage);
  const said =
    error.code === 'commander.help' ? 'A command is missing.' : error.message.replace(/^error: /, '');
  return wrongUsage(`${said} See --help.`);
}

function tell(out: Output, error: unknown): void {
  if (error instanceof AlreadyTold || (error instanceof Interrupted && error.exitCode === exitCodes.done))
    return;
  const [first = '', ...rest] = explain(error);
  if (out.json) out.failDocument(errorDocument(error));
  else out.fail(first);
  if (rest.length > 0) out.log(rest.join('\n'));
}

listenForSignals();
process.exitCode = await main();
// Nobody reads any more; what may still come in must not keep the process.
process.stdin.destroy();
