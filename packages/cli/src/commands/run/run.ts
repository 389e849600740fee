/** `run`: code in a browser, with its logs, its result, and what happens meanwhile. */
import { type api, type Browser, ScriptError } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { act, type Call, closeAfterwards, newBrowser, whichBrowser } from '../../call/call.ts';
import { AlreadyReported, exitCodes, explain, wrongUsage } from '../../failure.ts';
import { examples, jsonOrFile, timeLimit } from '../../options/options.ts';
import { pictureFormat } from '../../save/save.ts';
import { writeWhole } from '../../whole-file.ts';
import { type CreateOptions, createSettings, takesCreateOptions } from '../browsers/browsers.ts';
import { saveKept } from './kept-files.ts';
import { reportEvents } from './script-events.ts';
import { readScript, type ScriptFile, withFileName } from './script-file.ts';

interface RunOptions extends CreateOptions {
  browser?: string;
  new?: boolean;
  keep?: boolean;
  code?: string;
  args?: unknown;
  timeout?: number;
  observe?: 'aria' | 'text' | 'html' | 'markdown';
  screenshot?: string;
  trace?: string;
  bundle?: string;
}

export function addRun(program: Command): void {
  const run = program
    .command('run [script]')
    .description('run code in a browser: a file, - for stdin, or --code')
    .option('-b, --browser <browser>', 'in this browser')
    .option('--new', 'in a new one, which is closed afterwards whatever happens')
    .option('--keep', 'with --new: do not close it')
    .option('-c, --code <code>', 'the code itself')
    .option('--args <json>', 'in scope as `args`: JSON, or @FILE', jsonOrFile)
    .option('--timeout <time>', 'for the code, 30s unless given, at most 120s', timeLimit)
    .addOption(
      new Option('--observe <kind>', 'print what the page shows afterwards').choices([
        'aria',
        'text',
        'html',
        'markdown',
      ]),
    )
    .option('--screenshot <file>', 'save a picture of the page afterwards')
    .option('--trace <file>', 'record a Playwright trace and save it, for: npx playwright show-trace FILE')
    .option('--bundle <file>', 'when the code fails, save all that explains it as one ZIP file')
    .addHelpText('after', about);
  takesCreateOptions(run).action(act(runScript));
}

const about = `
The code is the body of an async function, JavaScript or TypeScript, with page, context, browser (Playwright), args,
console, files and sleep in scope; or a module: export default async ({ page, args }) => …
The result goes to stdout (a text as it is, anything else as JSON), logs and what happens meanwhile to stderr.
Options that describe a browser (--start-url to --from) are for --new.
${examples(
  'browserd run check.ts --new',
  'browserd run --new --code \'await page.goto(args.url); return page.title()\' --args \'{"url": "https://example.com"}\'',
  'browserd run login.ts --browser shop --observe aria --screenshot after.png',
  'browserd run checkout.ts --new --trace trace.zip --bundle failed.zip',
  'echo "return page.url()" | browserd run - --browser shop',
)}`;

async function runScript(call: Call<RunOptions>, file: string | undefined): Promise<void> {
  const { options, out } = call;
  if (Boolean(options.new) === (options.browser !== undefined))
    throw wrongUsage('Say where: --browser BROWSER, or --new for one that is closed afterwards.');
  const script = await readScript(file, options.code);
  if (options.browser !== undefined) return execute(call, await whichBrowser(call, options.browser), script);
  const browser = await newBrowser(call, createSettings(options), options.wait);
  const leave = async (): Promise<void> => {
    if (options.keep) out.note(`${browser.id} is kept`);
    else await closeAfterwards(browser);
  };
  try {
    await execute(call, browser, script);
  } catch (error) {
    await leave().catch(() =>
      out.warn(`${browser.id} could not be closed. Try: browserd browsers close ${browser.id}`),
    );
    throw error;
  }
  await leave();
}

async function execute(call: Call<RunOptions>, browser: Browser, script: ScriptFile): Promise<void> {
  const { options, out, signal } = call;
  await using events = await reportEvents(call, browser);
  const execution = await browser.run(script.code, {
    signal,
    ...(!out.json && { onLog: (entry: Entry) => out.log(logLine(entry)) }),
    ...(options.args !== undefined && { args: options.args }),
    ...(options.timeout !== undefined && { timeoutMs: options.timeout }),
    ...(options.trace !== undefined && { trace: true }),
    capture: {
      ...(options.observe && { observation: { kind: options.observe, includeOn: 'always' } }),
      ...(options.bundle !== undefined && { bundle: 'error' }),
    },
  });
  await events.finish();
  const answer = withPositions(execution, script);
  if (out.json) out.document({ browserId: browser.id, ...answer });
  else print(call, answer);
  if (!answer.success && !out.json) printFailure(call, answer);
  await savePicture(call, browser).catch((error: unknown) => {
    if (answer.success) throw error;
    out.warn(`There is no picture: ${explain(error)[0]}`);
  });
  await saveKept(call, browser, answer);
  if (!answer.success) throw new AlreadyReported(exitCodes.refused);
}

const withPositions = (execution: api.ScriptExecution, script: ScriptFile): api.ScriptExecution =>
  execution.error
    ? { ...execution, error: { ...execution.error, stack: withFileName(execution.error.stack, script) } }
    : execution;

type Entry = api.ScriptExecution['logs'][number];

const logLine = ({ level, text }: Entry): string => (level === 'log' ? text : `${level}: ${text}`);

function print({ out }: Call, { success, result, observation }: api.ScriptExecution): void {
  if (success && result !== null) {
    if (typeof result === 'string') out.text(result);
    else out.document(result);
  }
  if (observation) out.text(observation.error ? observation.error.message : observation.content);
}

/** Like an error of the service, with the position in the caller's own file. */
function printFailure({ out }: Call, execution: api.ScriptExecution): void {
  const { code, message, nextStep, scriptStack } = new ScriptError(execution);
  out.fail(`${code}: ${message}`);
  const frames = scriptStack.split('\n').filter((line) => /^\s+at /.test(line));
  if (frames.length > 0) out.log(frames.join('\n'));
  out.log(`next step: ${nextStep}`);
}

async function savePicture({ options, out, signal }: Call<RunOptions>, browser: Browser): Promise<void> {
  const { screenshot: path } = options;
  if (path === undefined) return;
  const picture = await browser.screenshot({ format: pictureFormat(path), signal });
  await writeWhole(path, [await picture.bytes()], { replace: true, follow: true });
  out.note(`${path} is saved`);
}
