/** An action as a person types it, such as `click 640 360` or `type hello`; or as JSON, in any shape that the service takes. */
import type { ModelAction } from '@browserd/sdk';
import { wrongUsage } from '../../failure.ts';

type Plain = Extract<ModelAction, { type: string }>;

interface Words {
  usage: string;
  /** Undefined where the words do not fit. */
  read(words: string[], rest: string): object | undefined;
}

const number = /^-?\d+(\.\d+)?$/;
const areNumbers = (words: string[]): boolean => words.every((word) => number.test(word));

const at = (type: string, more: object = {}): Words => ({
  usage: 'X Y',
  read: (words) =>
    words.length === 2 && areNumbers(words)
      ? { type, x: Number(words[0]), y: Number(words[1]), ...more }
      : undefined,
});
const bare = (type: string, more: object = {}): Words => ({
  usage: '',
  read: (words) => (words.length === 0 ? { type, ...more } : undefined),
});
/** All that follows, blanks included. */
const with_ = (type: string, field: string, usage: string): Words => ({
  usage,
  read: (_, rest) => (rest === '' ? undefined : { type, [field]: rest }),
});

const drag: Words = {
  usage: 'X Y X Y …',
  read(words) {
    if (words.length < 4 || words.length % 2 !== 0 || !areNumbers(words)) return undefined;
    const sides = words.map(Number);
    const path = sides.flatMap((x, index) => (index % 2 === 0 ? [{ x, y: sides[index + 1] }] : []));
    return { type: 'drag', path };
  },
};

const scroll: Words = {
  usage: 'X Y DOWN [RIGHT]',
  read(words) {
    if (words.length < 3 || words.length > 4 || !areNumbers(words)) return undefined;
    const [x, y, deltaY, deltaX = 0] = words.map(Number);
    return { type: 'scroll', x, y, deltaY, deltaX };
  },
};

const select: Words = {
  usage: 'X Y OPTION',
  read(words, rest) {
    const [x = '', y = ''] = words;
    const option = rest.replace(/^\S+\s+\S+\s*/, '');
    if (!areNumbers([x, y]) || option === '') return undefined;
    return { type: 'select', x: Number(x), y: Number(y), options: [option] };
  },
};

const wait: Words = {
  usage: 'MILLISECONDS',
  read: (words) =>
    words.length === 1 && areNumbers(words) ? { type: 'wait', ms: Number(words[0]) } : undefined,
};

const actions: Record<string, Words> = {
  click: at('click'),
  'double-click': at('click', { count: 2 }),
  'triple-click': at('click', { count: 3 }),
  'right-click': at('click', { button: 'right' }),
  'middle-click': at('click', { button: 'middle' }),
  move: at('move'),
  down: at('down'),
  up: at('up'),
  drag,
  scroll,
  type: with_('type', 'text', 'TEXT'),
  key: with_('key', 'keys', 'KEYS'),
  select,
  wait,
  cursor: bare('cursor'),
  screenshot: bare('screenshot'),
  copy: bare('copy'),
  cut: bare('copy', { cut: true }),
  paste: with_('paste', 'text', 'TEXT'),
  navigate: with_('navigate', 'url', 'URL'),
  back: bare('back'),
  forward: bare('forward'),
  reload: bare('reload'),
  'open-tab': {
    usage: '[URL]',
    read: (words, rest) => ({ type: 'openTab', ...(words.length > 0 && { url: rest }) }),
  },
};

export const actionUsages = Object.entries(actions).map(([name, { usage }]) => `${name} ${usage}`.trim());

export function actionIn(text: string): ModelAction {
  if (/^\s*\{/.test(text)) return fromJson(text);
  const [, name = '', rest = ''] = /^\s*(\S*)\s?([\s\S]*)$/.exec(text) ?? [];
  const words = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!words)
    throw wrongUsage(
      `There is no action “${name}”. The actions are ${Object.keys(actions).join(', ')}, or JSON.`,
    );
  const read = words.read(rest.split(/\s+/).filter(Boolean), rest);
  if (!read) throw wrongUsage(`“${text}” cannot be read. Write: ${`${name} ${words.usage}`.trim()}`);
  return read as Plain;
}

function fromJson(text: string): ModelAction {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongUsage(`An action is no JSON: ${(error as Error).message}.`);
  }
}
