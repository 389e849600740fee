/** What every script begins with: the folder in which it works, how it speaks, and how it fails. */
import { fileURLToPath } from 'node:url';

/** The folder of the whole repository; every script works from here, wherever it was called from. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** A problem that the operator can fix: the message is all they need, a stack would only hide it. */
export class Problem extends Error {}

export const say = (text) => console.log(text);

export const header = (text) => say(`\n── ${text} ${'─'.repeat(Math.max(3, 72 - text.length))}`);

/** Runs a script's main function; what it returns is the exit code. */
export async function program(main) {
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
