/** One run of the program: arguments in, exit code out. The process around it has its signals and its end. */
import { CommanderError } from 'commander';
import { interruption } from './call/call.ts';
import {
  AlreadyReported,
  errorDocument,
  exitCodeOf,
  exitCodes,
  explain,
  Interrupted,
  wrongUsage,
} from './failure.ts';
import { Output } from './output/output.ts';
import { makeProgram } from './program.ts';

export async function main(): Promise<number> {
  const json = process.argv.includes('--json');
  const program = makeProgram({ silent: json });
  try {
    await program.parseAsync();
    return exitCodes.done;
  } catch (caught) {
    const error = interruption.aborted ? interruption.reason : usageOf(caught, json);
    report(new Output({ ...program.opts(), json }), error);
    return exitCodeOf(error);
  }
}

/** Commander has already printed what it refuses, for people; programs get a document. */
function usageOf(error: unknown, json: boolean): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.exitCode === 0) return new AlreadyReported(exitCodes.done);
  if (!json) return new AlreadyReported(exitCodes.usage);
  const message =
    error.code === 'commander.help' ? 'A command is missing.' : error.message.replace(/^error: /, '');
  return wrongUsage(`${message} See --help.`);
}

function report(out: Output, error: unknown): void {
  if (error instanceof AlreadyReported || (error instanceof Interrupted && error.exitCode === exitCodes.done))
    return;
  const [first = '', ...rest] = explain(error);
  if (out.json) out.failDocument(errorDocument(error));
  else out.fail(first);
  if (rest.length > 0) out.log(rest.join('\n'));
}
