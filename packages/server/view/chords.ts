// Keys as the page expects them. It runs on Linux, where the chords of an editor are made with Ctrl; a Mac makes them
// with Cmd, and moves the cursor with chords of its own.
import { modifiersOf } from './place.ts';

/** A key as the page is told of it. */
export interface Stroke {
  key: string;
  code: string;
  keyCode: number;
  location: number;
  modifiers: number;
}
type Key = Pick<Stroke, 'key' | 'code' | 'keyCode'>;

const [alt, ctrl, meta] = [1, 2, 4] as const;

/** Not in every web browser. */
const { userAgentData } = navigator as Navigator & { userAgentData?: { platform: string } };
export const isMac = /mac|iphone|ipad/i.test(userAgentData?.platform || navigator.platform);

const named = (key: string, keyCode: number): Key => ({ key, code: key, keyCode });
const home = named('Home', 36);
const end = named('End', 35);
/** What Cmd and Option make of these keys, as the key and the modifiers that do the same elsewhere. */
const macMoves: Record<number, Record<string, [as: Partial<Key>, modifiers: number]>> = {
  [meta]: {
    ArrowLeft: [home, 0],
    ArrowRight: [end, 0],
    ArrowUp: [home, ctrl],
    ArrowDown: [end, ctrl],
  },
  [alt]: { ArrowLeft: [{}, ctrl], ArrowRight: [{}, ctrl], Backspace: [{}, ctrl], Delete: [{}, ctrl] },
};

export function strokeOf(event: KeyboardEvent): Stroke {
  const { key, code, keyCode, location } = event;
  const stroke = { key, code, keyCode, location, modifiers: modifiersOf(event) };
  // AltGr writes a sign, and so does Option on a Mac; Windows reports the first as Ctrl and Alt, which would be a chord
  const writes = event.getModifierState('AltGraph') || (isMac && !event.ctrlKey && !event.metaKey);
  if (writes && Array.from(key).length === 1) stroke.modifiers &= ~(alt | ctrl);
  return isMac ? fromMac(stroke) : stroke;
}

function fromMac(stroke: Stroke): Stroke {
  const { key, location, modifiers } = stroke;
  if (key === 'Meta')
    return {
      ...stroke,
      key: 'Control',
      code: location === 2 ? 'ControlRight' : 'ControlLeft',
      keyCode: 17,
      modifiers: (modifiers & ~meta) | (modifiers & meta ? ctrl : 0),
    };
  const chord = modifiers & (alt | ctrl | meta);
  const move = macMoves[chord]?.[key];
  if (move) return { ...stroke, ...move[0], modifiers: (modifiers & ~chord) | move[1] };
  return { ...stroke, modifiers: modifiers & meta ? (modifiers & ~meta) | ctrl : modifiers };
}

/** The chord of this machine for copying and the like: what the web browser itself would do with this key. */
export function editOf(event: KeyboardEvent): 'copy' | 'cut' | 'paste' | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  // on a keyboard of another script the place of the key counts
  const isLatin = /^[\x20-\x7e]+$/.test(event.key);
  const key = (isLatin ? event.key : event.code.replace('Key', '')).toLowerCase();
  const chord = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (altKey) return undefined;
  if (chord && key === 'v') return 'paste';
  if (!isMac && shiftKey && !ctrlKey && key === 'insert') return 'paste';
  if (chord && !shiftKey && (key === 'c' || (!isMac && key === 'insert'))) return 'copy';
  if (chord && !shiftKey && key === 'x') return 'cut';
  return undefined;
}

/** The way out of the page for a person who has only the keyboard. It is said on screen while keys go to the page. */
export const leaves = ({ key, shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Escape' && shiftKey && !ctrlKey && !altKey && !metaKey;
