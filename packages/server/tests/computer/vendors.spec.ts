import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Computer, computerOf } from '../support/computer-client.ts';
import { computerPages, spots } from '../support/computer-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** Actions as the models of three makers give them, on a real page. Their reading is in shapes.test.ts, one by one. */
let server: TestServer;
let site: Site;
let screen: Computer;

beforeAll(async () => {
  site = await startSite(computerPages);
  server = await startServer();
  const made = await server.api.create({ policy: { privateAccess: { localhost: true } } });
  screen = computerOf(server.api, made.body.id);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});
beforeEach(async () => {
  await screen.does({ type: 'navigate', url: `${site.origin}/desk` });
});

const valueIn = (name: string) => screen.run(`return page.inputValue('#${name}')`);
const pressed = () =>
  screen.run("return page.evaluate(() => document.querySelector('#button').dataset.pressed)");
const scrolled = () => screen.run('return page.evaluate(() => scroller.scrollTop)');

test('OpenAI', async () => {
  const { actions } = await screen.does([
    { type: 'click', button: 'left', ...spots.button },
    { type: 'double_click', ...spots.field },
    { type: 'type', text: 'Ada' },
    { type: 'keypress', keys: ['CTRL', 'A'] },
    { type: 'keypress', keys: ['BACKSPACE'] },
    { type: 'type', text: 'Grace' },
    { type: 'scroll', ...spots.scroller, scroll_x: 0, scroll_y: 120 },
    { type: 'drag', path: [spots.dragged, spots.dropped] },
    { type: 'move', x: 5, y: 5 },
    { type: 'screenshot' },
  ]);
  expect([await pressed(), await valueIn('field'), await scrolled()]).toEqual(['yes', 'Grace', 120]);
  expect(await screen.run("return page.textContent('#dropped')")).toBe('cargo');
  expect(actions.at(-1).picture).toMatchObject({ mimeType: 'image/jpeg', width: 1280, height: 720 });
});

test('Anthropic', async () => {
  const at = (spot: keyof typeof spots) => [spots[spot].x / 2, spots[spot].y / 2];
  const { actions } = await screen.does(
    [
      { action: 'mouse_move', coordinate: at('button') },
      { action: 'left_click' },
      { action: 'left_click', coordinate: at('field') },
      { action: 'type', text: 'Ada' },
      { action: 'triple_click', coordinate: at('field') },
      { action: 'key', text: 'Delete' },
      { action: 'type', text: 'Grace' },
      { action: 'scroll', coordinate: at('scroller'), scroll_direction: 'down', scroll_amount: 2 },
      { action: 'left_click_drag', start_coordinate: at('dragged'), coordinate: at('dropped') },
      { action: 'cursor_position' },
      { action: 'zoom', region: [0, 0, 320, 180] },
    ],
    { scale: { maxSide: 640 } },
  );
  expect([await pressed(), await valueIn('field'), await scrolled()]).toEqual(['yes', 'Grace', 200]);
  expect(await screen.run("return page.textContent('#dropped')")).toBe('cargo');
  expect(actions.at(-2).cursor).toEqual({ x: spots.dropped.x / 2, y: spots.dropped.y / 2 });
  expect(actions.at(-1).picture).toMatchObject({ width: 640, height: 360 });
});

test('Gemini', async () => {
  const at = (spot: keyof typeof spots) => ({
    x: (spots[spot].x / 1280) * 1000,
    y: (spots[spot].y / 720) * 1000,
  });
  const to = at('dropped');
  await screen.does([
    { name: 'open_web_browser', args: {} },
    { name: 'hover_at', args: at('button') },
    { name: 'click_at', args: at('button') },
    { name: 'type_text_at', args: { ...at('field'), text: 'Ada', press_enter: false } },
    { name: 'type_text_at', args: { ...at('field'), text: 'Grace', press_enter: true } },
    { name: 'scroll_at', args: { ...at('scroller'), direction: 'down', magnitude: 200 } },
    { name: 'drag_and_drop', args: { ...at('dragged'), destination_x: to.x, destination_y: to.y } },
    { name: 'key_combination', args: { keys: 'Escape' } },
  ]);
  expect([await pressed(), await valueIn('field'), await scrolled()]).toEqual(['yes', 'Grace', 144]);
  expect(await screen.run("return page.textContent('#dropped')")).toBe('cargo');
  expect(await screen.noted()).toContain('keydown field Enter');
  const { page } = await screen.does([
    { name: 'navigate', args: { url: `${site.origin}/next` } },
    { name: 'go_back', args: {} },
    { name: 'go_forward', args: {} },
  ]);
  expect(page.title).toBe('next');
});

test('an unknown action or field is a 400 that names it', async () => {
  const reasons = async (actions: unknown) => {
    const { status, body } = await screen.use(actions);
    return [status, body.error.code, body.error.details.issues[0].path, body.error.details.issues[0].reason];
  };
  expect(await reasons({ type: 'clik' })).toEqual([
    400,
    'VALIDATION_FAILED',
    'actions.type',
    expect.stringContaining('“clik”; click may be meant'),
  ]);
  expect(await reasons([{ type: 'wait' }, { action: 'left_click', force: 1 }])).toEqual([
    400,
    'VALIDATION_FAILED',
    'actions[1].force',
    'unknown field',
  ]);
  expect(await reasons({ name: 'click_at', args: { x: 1, y: 2000 } })).toEqual([
    400,
    'VALIDATION_FAILED',
    'actions.args.y',
    expect.stringContaining('1000'),
  ]);
});
