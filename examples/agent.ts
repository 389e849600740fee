// A small but complete agent: observe the page, decide, act by reference, observe again. Here a few rules decide; yours
// would ask a language model. Everything else can stay.
//
//   npm run example -- agent [address of a form]
import { Browserd } from '@browserd/sdk';
import { onlyThis } from './target.ts';

const target = process.argv[2] ?? 'https://httpbin.org/forms/post';
const answers: [RegExp, string][] = [
  [/mail/i, 'ada@example.com'],
  [/phone/i, '+44 20 7946 0958'],
  [/time/i, '12:15'],
  [/name/i, 'Ada Lovelace'],
  [/./, 'Please ring twice.'],
];

type Action = { do: 'fill'; ref: string; text: string } | { do: 'click'; ref: string };

/** The first empty text box is filled in; when there is none left, the button is clicked. */
function decide(observation: string): Action | undefined {
  const [, label, box] = /textbox ([^\n]*)\[ref=(\w+)\](?: \[[^\]]*\])*$/m.exec(observation) ?? [];
  if (label && box) {
    const text = answers.find(([fits]) => fits.test(label))?.[1] ?? '';
    return { do: 'fill', ref: box, text };
  }
  const button = /button [^\n]*\[ref=(\w+)\]/.exec(observation)?.[1];
  return button ? { do: 'click', ref: button } : undefined;
}

const client = new Browserd();
await using browser = await client.browsers.create({ policy: onlyThis(target) });
const capture = { observation: { kind: 'aria', includeOn: 'always', maxChars: 8000 } } as const;
let seen = await browser.run(
  async ({ page, args }) => {
    await page.goto(args);
    await page.getByRole('button').first().waitFor();
  },
  { args: target, capture },
);
if (!seen.success) throw new Error(`There is no form to fill in: ${seen.error?.message}`);

const start = seen.page?.url;

for (let step = 0; step < 20 && seen.page?.url === start; step++) {
  const action = decide(seen.observation?.content ?? '');
  if (!action) break;
  console.log(action);
  seen = await browser.run(
    async ({ page, args }) => {
      const element = page.locator(`aria-ref=${args.ref}`);
      if (args.do === 'fill') return element.fill(args.text);
      const before = page.url();
      await element.click();
      // the new page may take a moment, and there may be none
      await page.waitForURL(({ href }) => href !== before, { timeout: 3000 }).catch(() => undefined);
    },
    { args: action, capture },
  );
  // A failure goes to the model, with the next step: it decides again.
  if (!seen.success) console.log(`failed: ${seen.error?.message} (${seen.error?.nextStep})`);
}

if (seen.page?.url === start) throw new Error(`The form was not sent:\n${seen.observation?.content}`);
console.log(`The form was sent; the page is now ${seen.page?.url}\n${seen.observation?.content}`);
