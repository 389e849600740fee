import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, seen, startPerson, type Window } from '../support/viewer-page.ts';

let person: Person;

beforeAll(async () => {
  person = await startPerson();
});
afterAll(() => person[Symbol.asyncDispose]());

const focused = ({ page }: Window) => page.evaluate('document.activeElement?.id');
const noted = () => person.read('noted.splice(0)');
const clipboard = ({ page }: Window) => page.evaluate('navigator.clipboard.readText()');
const puts = ({ page }: Window, text: string) =>
  page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
const field = () => person.read('field.value');

describe('the mouse', () => {
  test('drags past the edge of the picture, and is let go in the page wherever its pointer ends', async () => {
    const window = await person.open('/drag');
    const { mouse } = window.page;
    const [from, over] = [await window.at(30, 280), await window.at(230, 285)];
    const press = async () => {
      await mouse.move(from.x, from.y);
      await mouse.down();
      await mouse.move(over.x, over.y, { steps: 4 });
    };
    await press();
    await mouse.move(2, 899, { steps: 3 });
    await mouse.up();
    await seen(async () => expect(await person.read('noted.join()')).toMatch(/^knob 0px,up -?\d+$/));
    await noted();

    await press();
    await window.page.evaluate(
      "document.querySelector('canvas').dispatchEvent(new PointerEvent('pointercancel', { pointerType: 'mouse' }))",
    );
    await seen(async () => expect(await person.read('noted')).toEqual(['knob 200px', 'up 230']));
  });

  test('presses a second button while the first is held, and selects a word with two clicks', async () => {
    const window = await person.open('/drag');
    const { mouse } = window.page;
    const on = await window.at(600, 100);
    await mouse.move(on.x, on.y);
    await mouse.down();
    await mouse.down({ button: 'right' });
    await mouse.up({ button: 'right' });
    await mouse.up();
    await seen(async () =>
      expect(await person.read("noted.filter((line) => line.startsWith('mouse'))")).toEqual([
        'mousedown 0 1',
        'mousedown 2 3',
        'mouseup 2 1',
        'mouseup 0 0',
      ]),
    );
    const word = await window.at(560, 272);
    await mouse.dblclick(word.x, word.y);
    const selected = () => person.read('field.value.slice(field.selectionStart, field.selectionEnd).trim()');
    await seen(async () => expect(await selected()).toBe('beta'));
  });
});

describe('the keyboard', () => {
  test('has a way into the page and out of it, which is said on screen', async () => {
    const window = await person.open('/type');
    const { page } = window;
    const hint = page.getByText('Shift+Esc leaves it');
    await page.getByLabel('Address').focus();
    expect(await hint.isVisible()).toBe(false);
    for (let step = 0; step < 10 && (await focused(window)) !== 'keys'; step++)
      await page.keyboard.press('Tab');
    expect(await focused(window)).toBe('keys');
    expect(await hint.isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focused(window)).toBe('keys');
    await page.keyboard.press('Shift+Escape');
    expect(await focused(window)).toBe('control');
    expect(await hint.isVisible()).toBe(false);
  });

  test('does not keep a person who only watches', async () => {
    const window = await person.open('/type', { mode: 'view' });
    await window.page.getByText('Watching').waitFor();
    expect(await window.page.locator('#keys').isDisabled()).toBe(true);
  });

  test('copies, cuts and pastes between the page and the person', async () => {
    const window = await person.open('/type');
    const { keyboard } = window.page;
    await window.click(60, 60);
    await keyboard.type('take this');
    await seen(async () => expect(await field()).toBe('take this'));
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');
    await seen(async () => expect(await clipboard(window)).toBe('take this'));
    await puts(window, 'before the cut');
    await keyboard.press('Control+x');
    await seen(async () => expect([await field(), await clipboard(window)]).toEqual(['', 'take this']));
    await puts(window, 'custom');
    await keyboard.press('Control+v');
    await seen(async () => expect(await field()).toBe('custom'));
    // nothing is selected: the person keeps what was there, unless the page itself gives something
    await keyboard.press('Control+c');
    await seen(async () => expect(await clipboard(window)).toBe('made by the page'));
    // keys that follow wait for their turn
    await keyboard.press('Control+v');
    await keyboard.type('!');
    await seen(async () => expect(await field()).toBe('custommade by the page!'));
  });

  test('pastes a code into a page that takes the paste itself', async () => {
    const window = await person.open('/code');
    await window.click(20, 25);
    await puts(window, '4711');
    await window.page.keyboard.press('Control+v');
    const digits = () => person.read("fields.map(({ value }) => value).join('')");
    await seen(async () => expect(await digits()).toBe('4711'));
  });

  test('copies from a frame of another site', async () => {
    const frame = `http://localhost:${person.site.port}/type`;
    const window = await person.open('/type');
    await person.run(`await page.setContent('<iframe src="${frame}" width="700" height="400"></iframe>');
      await page.frames()[1].locator('#field').fill('from the frame')`);
    await window.click(100, 100);
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.press('Control+c');
    await seen(async () => expect(await clipboard(window)).toBe('from the frame'));
  });

  test('of a Mac makes its chords with Cmd, which the page knows as Ctrl', async () => {
    const before = () => {
      Object.defineProperty(navigator, 'platform', { value: 'MacIntel' });
      Object.defineProperty(navigator, 'userAgentData', { value: undefined });
    };
    const window = await person.open('/type', { before });
    const { keyboard } = window.page;
    await window.click(60, 60);
    await keyboard.type('world');
    await keyboard.press('Meta+ArrowLeft');
    await keyboard.type('hello ');
    await seen(async () => expect(await field()).toBe('hello world'));
    await noted();
    await keyboard.press('Meta+a');
    await keyboard.press('Meta+c');
    await seen(async () => expect(await clipboard(window)).toBe('hello world'));
    expect(await noted()).toEqual(['down ctrl Control', 'down ctrl a', 'down ctrl Control', 'down ctrl c']);
  });
});

describe('a dialog of the page', () => {
  test('is answered by keyboard, with text where it asks for one', async () => {
    const window = await person.open('/asks');
    const { page } = window;
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByRole('button', { name: 'Hand back' }).waitFor();
    await window.click(60, 30);
    await page.getByRole('dialog').getByText('Really?').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await window.click(60, 80);
    await page.getByRole('dialog').getByText('Your name?').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await window.click(60, 30);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Hand back' }).click();
    expect(await noted()).toEqual(['confirm true', 'prompt Ada', 'confirm false']);
  });
});

describe('an address', () => {
  test('that is refused or fails is told in the bar, until another page is there', async () => {
    const { page } = await person.open('/type');
    const address = page.getByLabel('Address');
    const trouble = page.getByRole('alert');
    const visit = async (url: string) => {
      await address.fill(url);
      await address.press('Enter');
    };
    await visit('file:///etc/passwd');
    await trouble.getByText('Only http and https addresses').waitFor();
    await visit('http://10.1.2.3/');
    await trouble.getByText('the policy of this browser does not allow it').waitFor();
    await visit('http://127.0.0.1:2/');
    await trouble.getByText('127.0.0.1:2 was not opened').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await visit(`${person.site.origin}/type`);
    await trouble.waitFor({ state: 'hidden' });
    // also where no address was typed: a link in the page
    await person.run(
      // the page may be gone before it has answered
      `await page.waitForURL('**/type'); await page.evaluate(() => { setTimeout(() => { location.href = 'http://10.1.2.3/' }) }).catch(() => undefined)`,
    );
    await trouble.getByText('the policy of this browser does not allow it').waitFor();
    await page.reload();
    await trouble.getByText('10.1.2.3 was not opened').waitFor();
  });
});

test('the viewer has names, roles, headings and contrast as they should be', async () => {
  const faults = async ({ page }: Window) => {
    await page.addScriptTag({ content: axe.source });
    return page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))",
    );
  };
  const window = await person.open('/asks');
  const { page } = window;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await faults(window)).toEqual([]);
  }
  expect(await page.getByRole('img', { name: /asks/ }).count()).toBe(1);
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Hand back' }).waitFor();
  await window.click(60, 80);
  await page.getByRole('dialog').waitFor();
  expect(await faults(window)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Hand back' }).click();
});
