/** Stagehand's page without a model: what its own driver does by CDP. */
import assert from 'node:assert/strict';
import { Stagehand } from '@browserbasehq/stagehand';

const { SIGNED, SHOP, MODEL } = process.env;

const stagehand = new Stagehand({
  env: 'LOCAL',
  verbose: 0,
  model: { modelName: 'openai/gpt-4.1-mini', apiKey: 'none', baseURL: MODEL },
  localBrowserLaunchOptions: { cdpUrl: SIGNED },
});
await stagehand.init();
const page = stagehand.context.pages()[0];
await page.goto(SHOP);
await page.locator('input[name=name]').fill('Ada');
await page.locator('button').first().click();
assert.equal(await page.title(), 'Hello Ada');
const more = await stagehand.context.newPage(`${SHOP}/more`);
await more.waitForLoadState('load');
assert.equal(await more.title(), 'More');
assert.equal(stagehand.context.pages().length, 2);
await more.close();
assert((await page.screenshot()).length > 1000);
const observed = await stagehand.observe('find the button Greet');
assert.equal(observed.length, 1);
// what was observed is done without asking the model again
await page.locator('input[name=name]').fill('Grace');
await stagehand.act(observed[0]);
assert.equal(await page.title(), 'Hello Grace');
// elements of frames are in the tree that the model sees
await stagehand.act('click the button Offer');
assert.equal(
  await page.evaluate(() => document.querySelector('iframe').contentDocument.body.innerText),
  'Taken',
);
await stagehand.close();
console.log('done');
