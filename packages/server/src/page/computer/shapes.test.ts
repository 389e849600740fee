import { describe, expect, test } from 'vitest';
import { computerSchema } from './schema.ts';

const read = (action: unknown): unknown => {
  const parsed = computerSchema.parse({ actions: action }).actions;
  return Array.isArray(parsed) ? parsed : [parsed];
};
const issuesOf = (action: unknown): string =>
  JSON.stringify(computerSchema.safeParse({ actions: action }).error?.issues ?? []);

describe('the actions of OpenAI are read', () => {
  test.each([
    [
      { type: 'click', button: 'wheel', x: 1, y: 2 },
      { type: 'click', button: 'middle', x: 1, y: 2 },
    ],
    [
      { type: 'click', button: 'left', x: 1, y: 2 },
      { type: 'click', button: 'left', count: 1 },
    ],
    [{ type: 'click', button: 'left', x: 1, y: 2, keys: ['CTRL'] }, { modifiers: ['CTRL'] }],
    [
      { type: 'double_click', x: 1, y: 2 },
      { type: 'click', count: 2 },
    ],
    [
      { type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: 300 },
      { type: 'scroll', deltaX: 0, deltaY: 300 },
    ],
    [
      { type: 'keypress', keys: ['CTRL', 'A'] },
      { type: 'key', keys: 'CTRL+A' },
    ],
    [
      { type: 'type', text: 'hello' },
      { type: 'type', text: 'hello' },
    ],
    [{ type: 'wait' }, { type: 'wait', ms: 1000 }],
    [
      { type: 'move', x: 1, y: 2 },
      { type: 'move', x: 1, y: 2 },
    ],
    [
      {
        type: 'drag',
        path: [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      },
      { type: 'drag', button: 'left' },
    ],
    [{ type: 'screenshot' }, { type: 'screenshot' }],
  ])('%j', (said, plain) => expect(read(said)).toMatchObject([plain]));
});

describe('the actions of Anthropic are read', () => {
  test.each([
    [
      { action: 'key', text: 'ctrl+s' },
      { type: 'key', keys: 'ctrl+s' },
    ],
    [
      { action: 'hold_key', text: 'shift', duration: 1.5 },
      { type: 'key', keys: 'shift', holdMs: 1500 },
    ],
    [
      { action: 'type', text: 'hello' },
      { type: 'type', text: 'hello' },
    ],
    [
      { action: 'mouse_move', coordinate: [1, 2] },
      { type: 'move', x: 1, y: 2 },
    ],
    [
      { action: 'left_click', coordinate: [1, 2] },
      { type: 'click', button: 'left', x: 1, y: 2 },
    ],
    [{ action: 'left_click' }, { type: 'click', button: 'left' }],
    [{ action: 'left_click', coordinate: [1, 2], text: 'ctrl+shift' }, { modifiers: ['ctrl', 'shift'] }],
    [{ action: 'left_click_drag', start_coordinate: [1, 2], coordinate: [3, 4] }, { type: 'drag' }],
    [
      { action: 'left_click_drag', coordinate: [3, 4] },
      { type: 'drag', path: [{ x: 3, y: 4 }] },
    ],
    [{ action: 'right_click', coordinate: [1, 2] }, { button: 'right' }],
    [{ action: 'middle_click', coordinate: [1, 2] }, { button: 'middle' }],
    [{ action: 'double_click', coordinate: [1, 2] }, { count: 2 }],
    [{ action: 'triple_click', coordinate: [1, 2] }, { count: 3 }],
    [{ action: 'left_mouse_down' }, { type: 'down' }],
    [{ action: 'left_mouse_up' }, { type: 'up' }],
    [
      { action: 'scroll', coordinate: [1, 2], scroll_direction: 'up', scroll_amount: 3 },
      { type: 'scroll', by: 'notches', deltaY: -3 },
    ],
    [
      { action: 'wait', duration: 2 },
      { type: 'wait', ms: 2000 },
    ],
    [{ action: 'cursor_position' }, { type: 'cursor' }],
    [{ action: 'screenshot' }, { type: 'screenshot' }],
    [
      { action: 'zoom', region: [1, 2, 3, 4] },
      { type: 'zoom', region: [1, 2, 3, 4] },
    ],
  ])('%j', (said, plain) => expect(read(said)).toMatchObject([plain]));
});

describe('the function calls of Gemini are read', () => {
  const unit = 'thousandths';
  test.each([
    [{ name: 'open_web_browser', args: {} }, { type: 'screenshot' }],
    [{ name: 'wait_5_seconds' }, { type: 'wait', ms: 5000 }],
    [{ name: 'go_back', args: {} }, { type: 'back' }],
    [{ name: 'go_forward', args: {} }, { type: 'forward' }],
    [{ name: 'search', args: {} }, { type: 'navigate' }],
    [
      { name: 'navigate', args: { url: 'https://example.com' } },
      { type: 'navigate', url: 'https://example.com' },
    ],
    [
      { id: 'a', name: 'click_at', args: { x: 500, y: 250 } },
      { type: 'click', x: 500, y: 250, unit },
    ],
    [
      { name: 'hover_at', args: { x: 1, y: 2 } },
      { type: 'move', unit },
    ],
    [
      { name: 'type_text_at', args: { x: 1, y: 2, text: 'hi' } },
      { type: 'type', clear: true, submit: true, unit },
    ],
    [
      { name: 'key_combination', args: { keys: 'Control+A' } },
      { type: 'key', keys: 'Control+A' },
    ],
    [
      { name: 'scroll_document', args: { direction: 'down' } },
      { type: 'scroll', deltaY: 800, unit },
    ],
    [{ name: 'scroll_at', args: { x: 1, y: 2, direction: 'left', magnitude: 100 } }, { deltaX: -100 }],
    [
      { name: 'drag_and_drop', args: { x: 1, y: 2, destination_x: 3, destination_y: 4 } },
      { type: 'drag', unit },
    ],
    [{ name: 'click_at', args: { x: 1, y: 2, safety_decision: { decision: 'require_confirmation' } } }, {}],
  ])('%j', (said, plain) => expect(read(said)).toMatchObject([plain]));
});

describe('what no shape has is refused by its name', () => {
  test.each([
    [{ type: 'clik', x: 1, y: 2 }, /there is no action “clik”; click may be meant/],
    [{ type: 'click', x: 1, y: 2, colour: 'red' }, /colour/],
    [{ type: 'click', x: 1 }, /x and y go together/],
    [{}, /missing; an action has a type/],
    [{ action: 'left_clik', coordinate: [1, 2] }, /left_clik.*left_click may be meant/],
    [{ action: 'left_click', coordinate: [1, 2], force: 2 }, /"path":\["force"\],"message":"unknown field"/],
    [{ action: 'wait', duration: 900 }, /30/],
    [{ name: 'click_on', args: {} }, /click_on.*click_at may be meant/],
    [{ name: 'click_at', args: { x: 1, y: 2, z: 3 } }, /"args","z"/],
    [{ type: 'keypress', keys: ['A'], hold: true }, /hold/],
    [[{ type: 'move', x: 1, y: 2 }, { type: 'constructor' }], /constructor/],
    [{ action: '__proto__' }, /__proto__/],
    [Array.from({ length: 51 }, () => ({ type: 'wait' })), /50/],
    [[], /actions/],
  ])('%j', (said, reason) => expect(issuesOf(said)).toMatch(reason));
});
