/** What a command is given, and what commands share: a browser by name, lists, standard input, Ctrl-C. */
export { act, actLocally, type Call, type Globals, type LocalCall } from './action.ts';
export { askSecret } from './ask-secret.ts';
export { interruption, listenForSignals, togetherMs, unlessInterrupted } from './interrupt.ts';
export { firstOf, type ListOptions, listOptions, pageSize } from './listing.ts';
export { closeAfterwards, newBrowser } from './new-browser.ts';
export { oneByOne } from './one-by-one.ts';
export { readStdin } from './stdin.ts';
export { living, whichBrowser } from './which-browser.ts';
