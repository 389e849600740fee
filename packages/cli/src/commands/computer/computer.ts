/** `computer`: mouse, keys and pictures of a browser from the terminal, one action for each argument. */
import { type api, BrowserdError } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import { AlreadyReported, exitCodes } from '../../failure.ts';
import { examples, several, wholeNumber, withoutGaps } from '../../options/options.ts';
import { pictureFormat } from '../../save/save.ts';
import { writeWhole } from '../../whole-file.ts';
import { actionIn, actionUsages } from './action-words.ts';

interface ComputerOptions {
  tab?: string;
  maxSide?: number;
  file?: string[];
  refs?: boolean;
  output?: string;
}

export function addComputer(program: Command): void {
  program
    .command('computer <browser> <actions...>')
    .description('use mouse and keyboard by places in a picture, each action an argument')
    .option('--tab <tab>', 'this one instead of the one in front')
    .option(
      '--max-side <pixels>',
      'the longer side of the picture, in whose pixels all places are',
      wholeNumber,
    )
    .option('--file <id>', 'a file of the browser for the file chooser that opens; may be repeated', several)
    .option('--refs', 'also name what is hit by its reference in the accessibility tree')
    .option('-o, --output <file>', 'save a picture of the tab after the last action')
    .addHelpText('after', `\nActions:\n${actionUsages.map((usage) => `  ${usage}`).join('\n')}\n  or JSON`)
    .addHelpText(
      'after',
      examples(
        'browserd computer shop screenshot -o shop.png',
        "browserd computer shop 'click 640 360' 'type hello' 'key Enter' -o after.jpg",
      ),
    )
    .action(act(use));
}

async function use(call: Call<ComputerOptions>, name: string, texts: string[]): Promise<void> {
  const { tab: tabId, maxSide, file: files, refs, output } = call.options;
  const actions = texts.map(actionIn);
  const browser = await whichBrowser(call, name);
  const scale = maxSide === undefined ? undefined : { maxSide };
  const screenshot = output === undefined ? undefined : { format: pictureFormat(output) ?? 'png' };
  const answer = await browser.computer(actions, {
    ...withoutGaps({ tabId, scale, files, refs, screenshot }),
    signal: call.signal,
  });
  const { picture } = answer;
  if (output !== undefined && picture)
    await writeWhole(output, [Buffer.from(picture.data, 'base64')], { replace: true, follow: true });
  if (call.out.json) call.out.document(answer);
  else report(call, answer);
  if (!answer.success) throw new AlreadyReported(exitCodes.refused);
}

function report({ out, options: { output } }: Call<ComputerOptions>, answer: api.ComputerAnswer): void {
  out.list(answer.actions, columns, 'Nothing was done.');
  const { picture, error, failedIndex = 0 } = answer;
  if (output !== undefined && picture) out.note(`${output} is saved, ${picture.width} × ${picture.height}`);
  if (!error) return;
  const { code, message, nextStep } = new BrowserdError(error, 200);
  out.fail(`${code}: action ${failedIndex + 1}: ${message}`);
  out.log(`next step: ${nextStep}`);
}

const hitOf = ({ hit }: api.ComputerStep): string =>
  hit ? [hit.role ?? hit.tag, hit.name && `“${hit.name}”`, hit.ref].filter(Boolean).join(' ') : '';
const result = ({ text, cursor, navigatedTo, picker, changed }: api.ComputerStep): string =>
  text ??
  (cursor && `${cursor.x} ${cursor.y}`) ??
  navigatedTo ??
  (picker && `opened: ${picker.kind} “${picker.label}”`) ??
  (changed ? 'the page changed' : '');

const columns = [
  { title: 'ACTION', value: ({ type }: api.ComputerStep) => type },
  { title: 'HIT', value: hitOf, flexible: true },
  { title: 'RESULT', value: result, flexible: true },
];
