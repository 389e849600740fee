/** `captcha`: the captchas that a tab shows, and an attempt to solve them. */
import type { api } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../call/call.ts';
import { examples, timeLimit, withoutGaps } from '../options/options.ts';

interface CaptchaOptions {
  tab?: string;
  timeout?: number;
}

export function addCaptcha(program: Command): void {
  const group = program
    .command('captcha')
    .description('captchas in the pages of a browser')
    .addHelpText('after', examples('browserd captcha show shop', 'browserd captcha solve shop'));
  group
    .command('show <browser>')
    .description('which ones a tab shows')
    .option('--tab <tab>', 'of this tab instead of the one in front')
    .addHelpText('after', examples('browserd captcha show shop'))
    .action(
      act(async (call: Call<CaptchaOptions>, name: string) => {
        const { captcha } = await whichBrowser(call, name);
        show(call, await captcha.get(withoutGaps({ tabId: call.options.tab }), { signal: call.signal }));
      }),
    );
  group
    .command('solve <browser>')
    .description('try the solvers of the service in their order; only where you may')
    .option('--tab <tab>', 'of this tab instead of the one in front')
    .option('--timeout <time>', 'such as 60s', timeLimit)
    .addHelpText('after', examples('browserd captcha solve shop --timeout 60s'))
    .action(
      act(async (call: Call<CaptchaOptions>, name: string) => {
        const { captcha } = await whichBrowser(call, name);
        const { tab: tabId, timeout: timeoutMs } = call.options;
        using progress = call.out.progress();
        progress.say('solving …');
        show(call, await captcha.resolve(withoutGaps({ tabId, timeoutMs }), { signal: call.signal }));
      }),
    );
}

const show = ({ out }: Call, captchas: api.Captchas): void => {
  if (out.json) out.document(captchas);
  else out.list(captchas.items, columns, `No captchas (${captchas.state}).`);
};

type Item = api.Captchas['items'][number];

const columns = [
  { title: 'TYPE', value: ({ type }: Item) => type },
  { title: 'STATE', value: ({ state }: Item) => state },
  { title: 'HOW', value: ({ method }: Item) => method },
  { title: 'WHY', value: ({ reason }: Item) => reason, flexible: true },
  { title: 'PAGE', value: ({ pageUrl }: Item) => pageUrl, flexible: true },
];
