import { expect, test } from 'vitest';
import { actionIn, actionUsages } from './action-words.ts';

test.each([
  ['click 640 360', { type: 'click', x: 640, y: 360 }],
  ['  double-click 1 2.5', { type: 'click', x: 1, y: 2.5, count: 2 }],
  ['right-click 1 2', { type: 'click', x: 1, y: 2, button: 'right' }],
  [
    'drag 1 2 3 4 5 6',
    {
      type: 'drag',
      path: [
        { x: 1, y: 2 },
        { x: 3, y: 4 },
        { x: 5, y: 6 },
      ],
    },
  ],
  ['scroll 1 2 -300', { type: 'scroll', x: 1, y: 2, deltaY: -300, deltaX: 0 }],
  ['type  two  blanks 👋🏽', { type: 'type', text: ' two  blanks 👋🏽' }],
  ['key Control+A Delete', { type: 'key', keys: 'Control+A Delete' }],
  ['select 1 2 New York', { type: 'select', x: 1, y: 2, options: ['New York'] }],
  ['cut', { type: 'copy', cut: true }],
  ['open-tab', { type: 'openTab' }],
  ['open-tab https://example.com', { type: 'openTab', url: 'https://example.com' }],
  ['{"action": "left_click", "coordinate": [1, 2]}', { action: 'left_click', coordinate: [1, 2] }],
])('%s is an action', (text, action) => {
  expect(actionIn(text)).toEqual(action);
});

test.each([
  '',
  'press',
  'constructor',
  'click',
  'click 1',
  'click a b',
  'drag 1 2 3',
  'wait soon',
  '{"type"',
])('“%s” is none, which is said with what would be', (text) => {
  expect(() => actionIn(text)).toThrow(/The actions are|Write: |no JSON/);
});

test('the help names every action with what it takes', () => {
  expect(actionUsages).toContain('scroll X Y DOWN [RIGHT]');
  expect(actionUsages).toContain('screenshot');
});
