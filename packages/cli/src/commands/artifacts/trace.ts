/** `trace`: the newest trace of a browser, or the one that is named. */
import type { Browser } from '@browserd/sdk';
import type { Command } from 'commander';
import { act, type Call, whichBrowser } from '../../call/call.ts';
import { Failure } from '../../failure.ts';
import { examples } from '../../options/options.ts';
import { refuseTerminal, reportSaved, type SaveOptions, save, takesOutput } from '../../save/save.ts';

export function addTrace(program: Command): void {
  takesOutput(
    program
      .command('trace <browser> [file-id]')
      .description('save the newest trace of a browser, for: npx playwright show-trace'),
    'trace.zip, in this folder',
  )
    .addHelpText('after', examples('browserd trace shop', 'browserd trace shop file_… -o checkout.zip'))
    .action(
      act(async (call: Call<SaveOptions>, name: string, fileId: string | undefined) => {
        const to = call.options.output ?? '.';
        refuseTerminal(call, to, 'trace.zip');
        const browser = await whichBrowser(call, name);
        const id = fileId ?? (await newestTrace(browser, call.signal));
        const content = await browser.files.content(id, { signal: call.signal });
        const path = await save(call, content, { to, name: 'trace.zip' });
        reportSaved(call, path, content, { id });
      }),
    );
}

async function newestTrace(browser: Browser, signal: AbortSignal): Promise<string> {
  for await (const { id, source } of browser.files.list({ limit: 100, signal }))
    if (source === 'trace') return id;
  throw new Failure(
    `${browser.id} has no trace. Record one: browserd run SCRIPT --browser ${browser.id} --trace trace.zip`,
  );
}
