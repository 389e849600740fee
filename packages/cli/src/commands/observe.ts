/** `observe`: what a tab shows, in the size of a language model. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call, whichBrowser } from '../call/call.ts';
import { examples, wholeNumber, withoutGaps } from '../options/options.ts';

interface ObserveOptions {
  tab?: string;
  kind?: api.ObservePage['kind'];
  diff?: boolean;
  since?: string;
  text?: string;
  role?: string;
  name?: string;
  css?: string;
  scope?: string;
  selector?: string;
  depth?: number;
  interactive?: boolean;
  viewport?: boolean;
  urls?: boolean;
  boxes?: boolean;
  maxChars?: number;
  startFrom?: number;
  timeout?: number;
}

export function addObserve(program: Command): void {
  program
    .command('observe <browser>')
    .description('what a tab shows, with references to act by')
    .option('--tab <tab>', 'this one instead of the one in front')
    .addOption(
      new Option('--kind <kind>', 'aria (a tree) unless given').choices(['aria', 'text', 'html', 'markdown']),
    )
    .option('--diff', 'only what has changed since the last one of your key')
    .option('--since <observation>', 'only what has changed since this one')
    .option('--text <words>', 'only elements that say this')
    .option('--role <role>', 'only elements of this role')
    .option('--name <words>', 'only elements with this in their name')
    .option('--css <selector>', 'only elements that match')
    .option('--scope <ref>', 'only what is in the element with this reference')
    .option('--selector <css>', 'only what is in the first element that matches')
    .option('--depth <levels>', 'what lies deeper is counted', wholeNumber)
    .option('--interactive', 'only what can be operated')
    .option('--viewport', 'only what is in the view')
    .option('--urls', 'with the addresses of links')
    .option('--boxes', 'with the place of each element')
    .option('--max-chars <count>', '20000 unless given', wholeNumber)
    .option('--start-from <count>', 'where the part before has ended', wholeNumber)
    .option('--timeout <ms>', 'how long the reading may take, 30000 unless given', wholeNumber)
    .addHelpText(
      'after',
      examples(
        'browserd observe shop',
        'browserd observe shop --diff',
        'browserd observe shop --role button --name buy',
        'browserd observe shop --interactive --viewport',
      ),
    )
    .action(act(observe));
}

async function observe(call: Call<ObserveOptions>, name: string): Promise<void> {
  const { options, out, signal } = call;
  const { tab: tabId, kind, diff, since, text, role, css, scope, selector, depth } = options;
  const { interactive: interactiveOnly, viewport: viewportOnly, urls, boxes } = options;
  const { maxChars, startFrom, timeout: timeoutMs } = options;
  const find = withoutGaps({ text, role, name: options.name, css });
  const browser = await whichBrowser(call, name);
  const seen = await browser.observe({
    ...withoutGaps({
      tabId,
      kind,
      since,
      scope,
      selector,
      depth,
      interactiveOnly,
      viewportOnly,
      urls,
      boxes,
    }),
    ...withoutGaps({ maxChars, startFrom, timeoutMs }),
    ...((diff || since !== undefined) && { as: 'diff' as const }),
    ...(Object.keys(find).length > 0 && { find }),
    signal,
  });
  if (out.json) out.document(seen);
  else out.text(seen.content);
  if (seen.truncated) {
    const { fileId } = seen.file ?? {};
    const whole = fileId === undefined ? '' : ` All of it: browserd files get ${browser.id} ${fileId}.`;
    out.note(
      `There is more: ${seen.chars} characters in all. Go on with --start-from ${seen.nextStart}.${whole}`,
    );
  }
}
