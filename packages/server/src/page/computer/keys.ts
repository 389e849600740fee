/**
 * Keys by their names, as models write them: those of the DOM, of xdotool and of people. The layout is that of the United States;
 * a sign that has no key there is written as text.
 */
import { ApiError } from '../../errors.ts';
import { nearest } from '../../kit/nearest.ts';

export interface Key {
  key: string;
  code: string;
  keyCode: number;
  location: number;
  /** What it writes. */
  text?: string;
  /** As in CDP: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift. */
  modifier: number;
  /** It is written with Shift. */
  shifted?: boolean;
}

type Row = [
  key: string,
  keyCode: number,
  options?: { code?: string; location?: number; text?: string; modifier?: number },
];

const rows: Row[] = [
  ['Alt', 18, { code: 'AltLeft', location: 1, modifier: 1 }],
  ['Control', 17, { code: 'ControlLeft', location: 1, modifier: 2 }],
  ['Meta', 91, { code: 'MetaLeft', location: 1, modifier: 4 }],
  ['Shift', 16, { code: 'ShiftLeft', location: 1, modifier: 8 }],
  ['Enter', 13, { text: '\r' }],
  ['Tab', 9],
  ['Escape', 27],
  ['Backspace', 8],
  ['Delete', 46],
  ['Insert', 45],
  ['Home', 36],
  ['End', 35],
  ['PageUp', 33],
  ['PageDown', 34],
  ['ArrowLeft', 37],
  ['ArrowUp', 38],
  ['ArrowRight', 39],
  ['ArrowDown', 40],
  ['CapsLock', 20],
  ['ContextMenu', 93],
  ['PrintScreen', 44],
  ['Pause', 19],
  ['ScrollLock', 145],
  ['NumLock', 144],
  ...Array.from({ length: 24 }, (_, n): Row => [`F${n + 1}`, 112 + n]),
];

/** Sign, sign with Shift, code, key code. */
const signs: [string, string, string, number][] = [
  ...Array.from('abcdefghijklmnopqrstuvwxyz').map((letter): [string, string, string, number] => [
    letter,
    letter.toUpperCase(),
    `Key${letter.toUpperCase()}`,
    letter.toUpperCase().charCodeAt(0),
  ]),
  ...Array.from('0123456789').map((digit, n): [string, string, string, number] => [
    digit,
    ')!@#$%^&*('.charAt(n),
    `Digit${digit}`,
    48 + n,
  ]),
  ['`', '~', 'Backquote', 192],
  ['-', '_', 'Minus', 189],
  ['=', '+', 'Equal', 187],
  ['[', '{', 'BracketLeft', 219],
  [']', '}', 'BracketRight', 221],
  ['\\', '|', 'Backslash', 220],
  [';', ':', 'Semicolon', 186],
  ["'", '"', 'Quote', 222],
  [',', '<', 'Comma', 188],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
  [' ', ' ', 'Space', 32],
];

const signKeys = new Map<string, Key>(
  signs.flatMap(([plain, shifted, code, keyCode]) => {
    const row = { code, keyCode, location: 0, modifier: 0 };
    return [
      ...(shifted === plain
        ? []
        : [[shifted, { ...row, key: shifted, text: shifted, shifted: true }] as const]),
      [plain, { ...row, key: plain, text: plain }] as const,
    ];
  }),
);

const namedKeys = new Map<string, Key>(
  rows.map(([key, keyCode, { code = key, location = 0, text, modifier = 0 } = {}]) => [
    key.toLowerCase(),
    { key, code, keyCode, location, modifier, ...(text !== undefined && { text }) },
  ]),
);

const sameKeys: Record<string, string> = {
  ...{ ctrl: 'control', control_l: 'control', control_r: 'control' },
  ...{ option: 'alt', alt_l: 'alt', alt_r: 'alt', shift_l: 'shift', shift_r: 'shift' },
  ...{
    cmd: 'meta',
    command: 'meta',
    super: 'meta',
    super_l: 'meta',
    super_r: 'meta',
    win: 'meta',
    windows: 'meta',
  },
  ...{ controlormeta: 'control', meta_l: 'meta', meta_r: 'meta' },
  ...{
    return: 'enter',
    kp_enter: 'enter',
    esc: 'escape',
    del: 'delete',
    ins: 'insert',
    back_space: 'backspace',
  },
  ...{
    page_up: 'pageup',
    prior: 'pageup',
    pgup: 'pageup',
    page_down: 'pagedown',
    next: 'pagedown',
    pgdn: 'pagedown',
  },
  ...{ left: 'arrowleft', right: 'arrowright', up: 'arrowup', down: 'arrowdown' },
  ...{ caps_lock: 'capslock', menu: 'contextmenu', print: 'printscreen' },
};
const sameSigns: Record<string, string> = {
  ...{
    space: ' ',
    spacebar: ' ',
    plus: '+',
    minus: '-',
    equal: '=',
    equals: '=',
    comma: ',',
    period: '.',
    dot: '.',
  },
  ...{ slash: '/', backslash: '\\', semicolon: ';', quote: "'", apostrophe: "'", backquote: '`', grave: '`' },
  ...{ bracketleft: '[', bracketright: ']', underscore: '_', at: '@', numbersign: '#', asterisk: '*' },
};

/** The key that writes this sign, if there is one. */
export const keyOfSign = (sign: string): Key | undefined =>
  sign === '\n' ? namedKeys.get('enter') : sign === '\t' ? namedKeys.get('tab') : signKeys.get(sign);

export function keyNamed(name: string): Key {
  const word = name.trim().toLowerCase();
  const found =
    signKeys.get(name) ??
    namedKeys.get(sameKeys[word] ?? word) ??
    signKeys.get(sameSigns[word] ?? '') ??
    signKeys.get(/^(?:key|digit)([a-z0-9])$/.exec(word)?.[1] ?? '');
  if (found) return found;
  const known = [...namedKeys.values()].map(({ key }) => key);
  const [near] = nearest(name, known, 1);
  throw new ApiError(
    'VALIDATION_FAILED',
    `There is no key “${name.slice(0, 32)}”${near ? `; ${near} may be meant` : ''}. Keys have the names of the DOM, such as Enter, ArrowDown or a; join those of a chord with +.`,
    { details: { issues: [{ path: 'keys', reason: 'no such key' }] } },
  );
}

/** `Control+Shift+a` as its keys, in the order in which they are pressed. `Control++` ends in a plus. */
export function chordOf(text: string): Key[] {
  if (text === '+') return [keyNamed('+')];
  const names = text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
  return names.map(keyNamed);
}

/** Several chords with spaces between them. */
export const chordsOf = (text: string): Key[][] =>
  text === ' ' ? [chordOf(' ')] : text.trim().split(/\s+/).map(chordOf);
