/** A value that must not be seen: from a pipe, or typed at a prompt that shows nothing. Never an argument, which other users can see. */
import { wrongUsage } from '../failure.ts';
import { readStdin } from './stdin.ts';

const enter = ['\r', '\n'];
const controlC = '\u0003';
const backspace = ['\b', '\u007f'];

export async function askSecret(question: string): Promise<string> {
  const given = process.stdin.isTTY ? await prompt(question) : (await readStdin()).replace(/\r?\n$/, '');
  if (given === '') throw wrongUsage('No value was given: type it, or send it through a pipe.');
  return given;
}

async function prompt(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const text of stdin)
      for (const letter of text as string) {
        if (enter.includes(letter)) return typed;
        if (letter === controlC) process.kill(process.pid, 'SIGINT');
        typed = backspace.includes(letter) ? typed.slice(0, -1) : typed + letter;
      }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}
