/** Function calls of Gemini’s computer use. Its places are thousandths of the picture. */
import { z } from 'zod';
import { type Readers, reader } from './shape.ts';

const side = z.number().min(0).max(1000);
const place = { x: side, y: side };
const direction = z.enum(['up', 'down', 'left', 'right']);
/** Said with an action that a person has to confirm: whether that was done is the caller's business. */
const asked = { safety_decision: z.unknown().optional() };
const unit = 'thousandths' as const;
/** As Google's own example programs do. */
const searchPage = 'https://www.google.com';
const usualScroll = 800;

const ways = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;
const by = (way: keyof typeof ways, magnitude: number): { deltaX: number; deltaY: number } => ({
  deltaX: ways[way][0] * magnitude,
  deltaY: ways[way][1] * magnitude,
});

export const geminiActions: Readers = {
  open_web_browser: reader(asked, () => ({ type: 'screenshot' })),
  wait_5_seconds: reader(asked, () => ({ type: 'wait', ms: 5000 })),
  go_back: reader(asked, () => ({ type: 'back' })),
  go_forward: reader(asked, () => ({ type: 'forward' })),
  search: reader(asked, () => ({ type: 'navigate', url: searchPage })),
  navigate: reader({ url: z.string(), ...asked }, ({ url }) => ({ type: 'navigate', url })),
  click_at: reader({ ...place, ...asked }, ({ x, y }) => ({ type: 'click', x, y, unit })),
  hover_at: reader({ ...place, ...asked }, ({ x, y }) => ({ type: 'move', x, y, unit })),
  type_text_at: reader(
    {
      ...place,
      text: z.string(),
      press_enter: z.boolean().default(true),
      clear_before_typing: z.boolean().default(true),
      ...asked,
    },
    ({ x, y, text, press_enter: submit, clear_before_typing: clear }) => ({
      ...{ type: 'type', x, y, unit, text, submit, clear },
    }),
  ),
  key_combination: reader({ keys: z.string(), ...asked }, ({ keys }) => ({ type: 'key', keys })),
  scroll_document: reader({ direction, ...asked }, (given) => ({
    ...{ type: 'scroll', x: 500, y: 500, unit, ...by(given.direction, usualScroll) },
  })),
  scroll_at: reader({ ...place, direction, magnitude: side.default(usualScroll), ...asked }, (given) => ({
    ...{ type: 'scroll', x: given.x, y: given.y, unit, ...by(given.direction, given.magnitude) },
  })),
  drag_and_drop: reader({ ...place, destination_x: side, destination_y: side, ...asked }, (given) => ({
    ...{ type: 'drag', unit },
    path: [
      { x: given.x, y: given.y },
      { x: given.destination_x, y: given.destination_y },
    ],
  })),
};
