/** Questions of pages, and who answers them. */
import type { Dialog } from 'playwright-core';
import { type Checks, heard } from '../check.ts';

export const dialogs: Checks = {
  'questions of each kind': async ({ page }) => {
    const seen: unknown[] = [];
    page.on('dialog', (dialog) => {
      seen.push([dialog.type(), dialog.message(), dialog.defaultValue()]);
      void dialog.accept(dialog.type() === 'prompt' ? 'typed' : undefined);
    });
    const answers = await page.evaluate(
      "[alert('a'), confirm('b'), prompt('c', 'before')].map((answer) => answer ?? null)",
    );
    return [seen, answers];
  },
  'questions that are dismissed': async ({ page }) => {
    page.on('dialog', (dialog) => void dialog.dismiss());
    return page.evaluate("[alert('a'), confirm('b'), prompt('c', 'before')].map((answer) => answer ?? null)");
  },
  'questions to which a client does not listen': async ({ page }) =>
    page.evaluate("[alert('a'), confirm('b'), prompt('c', 'before')].map((answer) => answer ?? null)"),
  'a question while a page loads': async ({ page, site }) => {
    page.once('dialog', (dialog) => void dialog.accept());
    await page.goto(`${site.origin}/asks`);
    return page.title();
  },
  'a question that waits for its answer': async ({ page, context, site }) => {
    const asked = page.waitForEvent('dialog');
    const answer = page.evaluate("confirm('well?')");
    const dialog = await asked;
    const meanwhile = await context.newPage();
    await meanwhile.goto(`${site.otherOrigin}/plain`);
    await dialog.accept();
    return [await meanwhile.title(), await answer];
  },
  'a question of a frame of another site': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const asked = heard<Dialog>((listener) => page.on('dialog', listener));
    await page.evaluate(
      `void document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.otherOrigin}/asks' }))`,
    );
    const dialog = await asked;
    await dialog.accept();
    const frame = page.frames().find((each) => each.url().startsWith(site.otherOrigin));
    await frame?.waitForFunction("document.title.startsWith('said')");
    return [dialog.type(), dialog.page() === page, await frame?.title()];
  },
  'a question before a page is left': async ({ page, site }) => {
    await page.goto(`${site.origin}/guarded`);
    await page.click('h1');
    const types: string[] = [];
    page.on('dialog', (dialog) => {
      types.push(dialog.type());
      void dialog.accept();
    });
    await page.goto(`${site.origin}/plain`);
    return [types, await page.title()];
  },
  'a page that is closed while it asks': async ({ page }) => {
    const asked = page.waitForEvent('dialog');
    const answer = page.evaluate("confirm('well?')").catch(() => 'gone');
    await asked;
    await page.close();
    return [page.isClosed(), await answer];
  },
};
