/** Actions of Anthropic’s computer tool, up to `computer_20251124`. Times are seconds, and a scroll counts notches. */
import { z } from 'zod';
import type { PlainInput } from './actions-schema.ts';
import { modifiersIn, type Readers, reader } from './shape.ts';

const pair = z.tuple([z.number(), z.number()]);
const coordinate = pair.nullish();
/** Keys that are held during a click or a scroll. */
const text = z.string().max(64).nullish();
const seconds = z.number().min(0).max(30);

const at = (place: [number, number] | null | undefined): { x?: number; y?: number } =>
  place ? { x: place[0], y: place[1] } : {};

const click = (fixed: { button?: 'right' | 'middle'; count?: 2 | 3 }): Readers[string] =>
  reader(
    { coordinate, text },
    ({ coordinate: place, text: held }): PlainInput => ({
      ...{ type: 'click', ...at(place), ...fixed, modifiers: modifiersIn(held) },
    }),
  );

const directions = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;

export const anthropicActions: Readers = {
  key: reader({ text: z.string().min(1).max(256) }, ({ text: keys }) => ({ type: 'key', keys })),
  hold_key: reader({ text: z.string().min(1).max(256), duration: seconds.max(10) }, (given) => ({
    ...{ type: 'key', keys: given.text, holdMs: Math.round(given.duration * 1000) },
  })),
  type: reader({ text: z.string() }, (given) => ({ type: 'type', text: given.text })),
  mouse_move: reader({ coordinate: pair }, ({ coordinate: [x, y] }) => ({ type: 'move', x, y })),
  left_click: click({}),
  right_click: click({ button: 'right' }),
  middle_click: click({ button: 'middle' }),
  double_click: click({ count: 2 }),
  triple_click: click({ count: 3 }),
  left_mouse_down: reader({ coordinate }, (given) => ({ type: 'down', ...at(given.coordinate) })),
  left_mouse_up: reader({ coordinate }, (given) => ({ type: 'up', ...at(given.coordinate) })),
  // The first version of the tool drags from where the cursor is.
  left_click_drag: reader({ start_coordinate: coordinate, coordinate: pair, text }, (given) => ({
    type: 'drag',
    path: [given.start_coordinate, given.coordinate].flatMap((place) =>
      place ? [{ x: place[0], y: place[1] }] : [],
    ),
    modifiers: modifiersIn(given.text),
  })),
  scroll: reader(
    {
      coordinate,
      scroll_direction: z.enum(['up', 'down', 'left', 'right']),
      scroll_amount: z.int().min(0).max(1000),
      text,
    },
    ({ scroll_direction, scroll_amount, ...given }) => ({
      ...{ type: 'scroll', by: 'notches', ...at(given.coordinate), modifiers: modifiersIn(given.text) },
      deltaX: directions[scroll_direction][0] * scroll_amount,
      deltaY: directions[scroll_direction][1] * scroll_amount,
    }),
  ),
  wait: reader({ duration: seconds }, ({ duration }) => ({ type: 'wait', ms: Math.round(duration * 1000) })),
  cursor_position: reader({}, () => ({ type: 'cursor' })),
  screenshot: reader({}, () => ({ type: 'screenshot' })),
  zoom: reader({ region: z.tuple([z.number(), z.number(), z.number(), z.number()]) }, ({ region }) => ({
    ...{ type: 'zoom', region },
  })),
};
