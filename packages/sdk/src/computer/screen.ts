/** What the adapters need of a browser: its screen. And what they have in common. */
import { BrowserdError } from '../errors.ts';
import type { ComputerAction, ComputerAnswer, ComputerPicture, UseComputer } from '../generated/schemas.ts';

/** An action as a model gives it: in the plain shape, or in that of OpenAI, Anthropic or Gemini. */
export type ModelAction =
  | ComputerAction
  | { type: string; [field: string]: unknown }
  | { action: string; [field: string]: unknown }
  | { name: string; args?: object };

export type ComputerOptions = Omit<UseComputer, 'actions'>;

export interface Screen {
  computer(actions: ModelAction | readonly ModelAction[], options?: ComputerOptions): Promise<ComputerAnswer>;
}

export interface AnswerOptions extends Omit<ComputerOptions, 'screenshot'> {
  /** The format of the pictures; JPEG if not given. */
  screenshot?: { format?: 'jpeg' | 'png' | 'webp'; quality?: number };
  /** Asked before an action that the model wants a person to confirm. Without it such an action is an error. */
  confirm?(what: string): boolean | Promise<boolean>;
}

/** Done, with a picture of what came of it: that of the last action, where it took one, or of the page. */
export async function act(
  screen: Screen,
  actions: ModelAction | readonly ModelAction[],
  { confirm: _notSent, ...options }: AnswerOptions,
): Promise<{ answer: ComputerAnswer; picture: ComputerPicture | undefined }> {
  const answer = await screen.computer(actions, { ...options, screenshot: options.screenshot ?? true });
  return { answer, picture: answer.actions.at(-1)?.picture ?? answer.picture };
}

export async function confirmed(what: string, { confirm }: AnswerOptions): Promise<void> {
  if (await confirm?.(what)) return;
  const why = confirm ? 'That was not given.' : 'Pass `confirm`, which asks for it.';
  throw new BrowserdError(
    {
      code: 'CONFIRMATION_REQUIRED',
      message: `The model wants a person to confirm: ${what} ${why}`,
      category: 'policy',
      nextStep: 'ask_operator',
    },
    0,
  );
}

/** What a model should know of a call besides its picture; undefined: nothing. */
export function said({
  error,
  failedIndex,
  actions,
  dialogs,
  openedTabs,
}: ComputerAnswer): string | undefined {
  const last = actions.at(-1);
  const lines = [
    error && `Action ${failedIndex} failed: ${error.message}`,
    last?.cursor && `The cursor is at ${Math.round(last.cursor.x)}, ${Math.round(last.cursor.y)}.`,
    last?.text !== undefined && `Copied: ${last.text}`,
    last?.picker?.options &&
      `A list has opened, with: ${last.picker.options.map(({ text }) => text).join(' | ')}`,
    ...dialogs.map(({ type, message, state }) => `The page shows a dialog (${type}, ${state}): ${message}`),
    openedTabs.length > 0 && 'A new tab has opened, and is the one shown.',
  ].filter((line) => typeof line === 'string');
  return lines.length > 0 ? lines.join('\n') : undefined;
}

export const dataUrl = ({ mimeType, data }: ComputerPicture): string => `data:${mimeType};base64,${data}`;
