/** Mouse, keys, touch, and what they do to pages. */
import type { Checks } from '../check.ts';

export const input: Checks = {
  'a click': async ({ page, site }) => {
    await page.goto(`${site.origin}/pointer`);
    await page.click('#pad', { position: { x: 30, y: 40 } });
    return page.evaluate('[seen, place]');
  },
  'two clicks, and one with the other button': async ({ page, site }) => {
    await page.goto(`${site.origin}/pointer`);
    await page.dblclick('#pad');
    await page.click('#pad', { button: 'right' });
    return page.evaluate('seen');
  },
  'a click with keys held': async ({ page, site }) => {
    await page.goto(`${site.origin}/pointer`);
    await page.evaluate(
      'pad.onclick = ({ ctrlKey, shiftKey, altKey, metaKey }) => { window.keys = [ctrlKey, shiftKey, altKey, metaKey] }',
    );
    await page.click('#pad', { modifiers: ['Control', 'Shift'] });
    return page.evaluate('keys');
  },
  'the way of the mouse': async ({ page, site }) => {
    await page.goto(`${site.origin}/pointer`);
    await page.evaluate(
      "window.way = []; document.addEventListener('mousemove', ({ clientX, clientY, buttons }) => way.push([clientX, clientY, buttons]))",
    );
    await page.mouse.move(10, 10);
    await page.mouse.down();
    await page.mouse.move(50, 30, { steps: 2 });
    await page.mouse.up();
    return page.evaluate('way');
  },
  'the mouse over an element': async ({ page }) => {
    await page.setContent(
      '<style>p { color: rgb(0, 0, 0) } p:hover { color: rgb(1, 2, 3) }</style><p>over</p>',
    );
    await page.hover('p');
    return page.evaluate("getComputedStyle(document.querySelector('p')).color");
  },
  'the wheel': async ({ page, site }) => {
    await page.goto(`${site.origin}/pointer`);
    await page.mouse.move(50, 50);
    await page.mouse.wheel(0, 400);
    await page.waitForFunction('scrollY === 400');
    return page.evaluate('scrollY');
  },
  'into view': async ({ page, site }) => {
    await page.goto(`${site.origin}/tall`);
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<button id=low>low</button>')");
    await page.locator('#low').scrollIntoViewIfNeeded();
    return page.evaluate('scrollY > 0');
  },
  keys: async ({ page, site }) => {
    await page.goto(`${site.origin}/keys`);
    await page.focus('#field');
    await page.keyboard.type('aÜ');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Backspace');
    return [await page.inputValue('#field'), await page.evaluate('seen')];
  },
  'text without keys': async ({ page, site }) => {
    await page.goto(`${site.origin}/keys`);
    await page.focus('#field');
    await page.keyboard.insertText('字 text');
    return [await page.inputValue('#field'), await page.evaluate('seen')];
  },
  'lines of text': async ({ page, site }) => {
    await page.goto(`${site.origin}/keys`);
    await page.locator('#area').pressSequentially('one\ntwo');
    await page.keyboard.press('Home');
    await page.keyboard.press('Delete');
    return page.inputValue('#area');
  },
  'from field to field': async ({ page, site }) => {
    await page.goto(`${site.origin}/keys`);
    await page.focus('#field');
    await page.keyboard.press('Tab');
    return page.evaluate('[document.activeElement.id, seen]');
  },
  'a form': async ({ page, site }) => {
    await page.goto(`${site.origin}/form`);
    await page.getByLabel('Who').fill('Ann');
    const chosen = await page.selectOption('select', { label: 'M' });
    await page.check('[name=news]');
    await Promise.all([page.waitForURL('**/sent?*'), page.getByLabel('Who').press('Enter')]);
    return [chosen, await page.textContent('#query')];
  },
  'a list that is opened by a click': async ({ page, site }) => {
    await page.goto(`${site.origin}/form`);
    await page.focus('select');
    await page.keyboard.press('ArrowDown');
    return page.inputValue('select');
  },
  'one element onto another': async ({ page, site }) => {
    await page.goto(`${site.origin}/drag`);
    await page.dragAndDrop('#from', '#to');
    return page.evaluate('seen');
  },
  'one element onto another, step by step': async ({ page, site }) => {
    await page.goto(`${site.origin}/drag`);
    await page.hover('#from');
    await page.mouse.down();
    await page.hover('#to');
    await page.hover('#to');
    await page.mouse.up();
    return page.evaluate('seen');
  },
  'a slider': async ({ page, site }) => {
    await page.goto(`${site.origin}/slide`);
    const box = await page.locator('#slider').boundingBox();
    if (!box) return null;
    await page.mouse.move(box.x + 8, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    await page.mouse.up();
    return page.inputValue('#slider');
  },
  'words that are marked': async ({ page, site }) => {
    await page.goto(`${site.origin}/words`);
    await page.mouse.dblclick(20, 10);
    const word = await page.evaluate('getSelection().toString()');
    await page.mouse.click(5, 200);
    await page.mouse.move(1, 10);
    await page.mouse.down();
    await page.mouse.move(2000, 10, { steps: 3 });
    await page.mouse.up();
    return [word, await page.evaluate('getSelection().toString().trim()')];
  },
  'all text that is marked': async ({ page, site }) => {
    await page.goto(`${site.origin}/words`);
    await page.keyboard.press('Control+A');
    return page.evaluate('getSelection().toString().trim()');
  },
  touch: async ({ browser, site }) => {
    const context = await browser.newContext({ hasTouch: true, viewport: { width: 400, height: 300 } });
    const page = await context.newPage();
    await page.goto(`${site.origin}/pointer`);
    await page.tap('#pad');
    const seen = await page.evaluate('seen');
    await context.close();
    return seen;
  },
  'touch by a session': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/pointer`);
    const cdp = await session();
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 30, y: 30 }] });
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.waitForFunction("seen.some(([type]) => type === 'touchend')");
    return page.evaluate("seen.filter(([type]) => type.startsWith('touch'))");
  },
  'an element that is covered': async ({ page }) => {
    await page.setContent(
      '<button onclick="window.hit = 1">below</button><div style="position: fixed; inset: 0"></div>',
    );
    const failure = await page.click('button', { timeout: 300 }).then(
      () => 'clicked',
      (error: Error) => error.name,
    );
    await page.click('button', { force: true });
    return [failure, await page.evaluate('window.hit ?? null')];
  },
};
