/** The viewer: a person who watches a browser, takes over and hands back. And the hand itself, for callers that have one too. */
export { addressOf } from './address-bar.ts';
export { copyFrom, pasteInto } from './clipboard.ts';
export { Controls } from './controls.ts';
export type { Handoff } from './handoff.ts';
export { Held } from './held.ts';
export type { InputCommand, InputMessage, MouseMessage } from './input.ts';
export type { Picker } from './picker.ts';
export { NoAnswerError, RefusedError, Remote, type RemoteEvent } from './remote.ts';
export type { Frame, Shown } from './screencast.ts';
export type { ToldMessage } from './told.ts';
export type { View } from './viewer.ts';
export { Views } from './views.ts';
