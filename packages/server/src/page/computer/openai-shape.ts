/** Actions of OpenAI’s computer tool. Most of its words are those of the plain shape; here are its own. */
import { z } from 'zod';
import { type Readers, reader } from './shape.ts';

const side = z.number();
const place = { x: side, y: side };
/** Held meanwhile. */
const keys = z.array(z.string().max(32)).max(8).nullish();
const button = z.enum(['left', 'right', 'wheel', 'back', 'forward']);

export const openaiActions: Readers = {
  click: reader(
    { ...place, button: button.default('left'), keys },
    ({ x, y, button: with_, keys: held }) => ({
      ...{ type: 'click', x, y, modifiers: held ?? [] },
      button: with_ === 'wheel' ? 'middle' : with_,
    }),
  ),
  double_click: reader({ ...place, keys }, ({ x, y, keys: held }) => ({
    ...{ type: 'click', x, y, count: 2, modifiers: held ?? [] },
  })),
  drag: reader({ path: z.array(z.strictObject(place)).min(2).max(200), keys }, ({ path, keys: held }) => ({
    ...{ type: 'drag', path, modifiers: held ?? [] },
  })),
  keypress: reader({ keys: z.array(z.string().max(32)).min(1).max(8) }, ({ keys: pressed }) => ({
    type: 'key',
    keys: pressed.map((key) => (key === ' ' ? 'Space' : key === '+' ? 'Plus' : key)).join('+'),
  })),
  move: reader({ ...place, keys }, ({ x, y }) => ({ type: 'move', x, y })),
  scroll: reader(
    { ...place, scroll_x: side.default(0), scroll_y: side.default(0), keys },
    ({ x, y, scroll_x, scroll_y, keys: held }) => ({
      ...{ type: 'scroll', x, y, deltaX: scroll_x, deltaY: scroll_y, modifiers: held ?? [] },
    }),
  ),
};

const ownTypes = ['double_click', 'keypress'];
const ownFields = ['scroll_x', 'scroll_y', 'keys'];

/** Whether it uses a word that only OpenAI has; otherwise both shapes say the same. */
export const isOpenai = (said: Record<string, unknown>): boolean =>
  ownTypes.includes(String(said.type)) ||
  said.button === 'wheel' ||
  (said.type !== 'key' &&
    Object.hasOwn(openaiActions, String(said.type)) &&
    ownFields.some((field) => field in said));
