/** Standard input as text; Ctrl-C ends the wait for it. */
import { text } from 'node:stream/consumers';
import { unlessInterrupted } from './interrupt.ts';

export const readStdin = (): Promise<string> => unlessInterrupted(text(process.stdin));
