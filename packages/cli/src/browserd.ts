#!/usr/bin/env node
import { CommanderError } from 'commander';
import { AlreadyTold, errorDocument, exitCodeOf, exitCodes, explain, Interrupted } from './failure.ts';
import { interruption, listenForSignals } from './interrupt.ts';
import { Output } from './output.ts';
import { makeProgram } from './program.ts';

/** The process: arguments in, exit code out. */
async function main(): Promise<number> {
  const program = makeProgram();
  try {
    await program.parseAsync();
    return exitCodes.done;
  } catch (caught) {
    const error = interruption.aborted ? interruption.reason : caught;
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    tell(new Output(program.opts()), error);
    return exitCodeOf(error);
  }
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
