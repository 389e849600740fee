import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { answerGemini, answerOpenAI, type api } from '@browserd/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compiledBefore, startServer, type TestServer } from '../../server/tests/support/server.ts';
import { type Site, startSite } from '../../server/tests/support/site.ts';
import { type ScriptedModels, startModels } from './scripted-models.ts';

/** The example programs of computer use, with models whose words are written down. */
const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
let server: TestServer;
let site: Site;
let models: ScriptedModels;

const form = `<!doctype html><title>Order</title><style>body{margin:0} .at{position:absolute;height:40px}</style><form action="/sent">
  <input name=name class=at style="left:100px;top:100px;width:200px"><button class=at style="left:100px;top:200px;width:200px">Order</button></form>`;

beforeAll(async () => {
  site = await startSite({ '/form': form, '/sent': '<!doctype html><title>Sent</title>Thank you' });
  server = await startServer();
  models = await startModels();
});
afterAll(async () => {
  const { body } = await server.api.call('GET', '/v1/browsers?status=ready');
  await server[Symbol.asyncDispose]();
  await site.close();
  await models[Symbol.asyncDispose]();
  expect(body.items).toEqual([]);
});

async function example(name: string): Promise<string> {
  const env = {
    ...{ PATH: process.env.PATH, ...compiledBefore },
    ...{ BROWSERD_URL: server.api.url, BROWSERD_API_KEY: server.api.key },
    ...{ OPENAI_BASE_URL: models.url, ANTHROPIC_BASE_URL: models.url, GEMINI_BASE_URL: models.url },
  };
  const args = [join(root, 'examples', name), 'Order as Ada.', `${site.origin}/form`];
  return (await run(process.execPath, args, { env })).stdout;
}

const sent = () => site.requests.filter(({ url }) => url.startsWith('/sent')).at(-1)?.url;

test('computer-openai.ts does what the model says, and shows it what came of that', async () => {
  const call = (call_id: string, ...actions: object[]) => ({
    id: `response ${call_id}`,
    output: [{ type: 'reasoning' }, { type: 'computer_call', call_id, actions }],
  });
  models.script([
    call('a', { type: 'screenshot' }),
    call('b', { type: 'click', button: 'left', x: 150, y: 120 }, { type: 'type', text: 'OpenAI' }),
    {
      id: 'old',
      output: [
        { type: 'computer_call', call_id: 'c', action: { type: 'click', button: 'left', x: 150, y: 220 } },
      ],
    },
    { id: 'end', output: [{ type: 'message', content: [{ type: 'output_text', text: 'It is ordered.' }] }] },
  ]);
  expect(await example('computer-openai.ts')).toBe('It is ordered.\n');
  expect(sent()).toBe('/sent?name=OpenAI');
  const outputs = models.asked.slice(1).map(({ input }) => input[0]);
  expect(outputs.map(({ type, call_id }) => [type, call_id])).toEqual(
    ['a', 'b', 'c'].map((id) => ['computer_call_output', id]),
  );
  for (const { output } of outputs) expect(output.image_url).toMatch(/^data:image\/jpeg;base64,.{1000}/);
  expect(models.asked[2].previous_response_id).toBe('response b');
});

test('computer-anthropic.ts does what the model says, tells it what failed, and shows it the rest', async () => {
  const use = (id: string, input: object) => ({
    content: [
      { type: 'text', text: 'I see.' },
      { type: 'tool_use', id, name: 'computer', input },
    ],
  });
  models.script([
    use('a', { action: 'left_click', coordinate: [150, 120] }),
    use('b', { action: 'type', text: 'Anthropic' }),
    use('c', { action: 'left_click', coordinate: [5000, 120] }),
    use('d', { action: 'cursor_position' }),
    use('e', { action: 'key', text: 'Return' }),
    { content: [{ type: 'text', text: 'It is ordered.' }] },
  ]);
  expect(await example('computer-anthropic.ts')).toBe('It is ordered.\n');
  expect(sent()).toBe('/sent?name=Anthropic');
  const results = models.asked.slice(1).map(({ messages }) => messages.at(-1).content[0]);
  expect(results.map(({ tool_use_id }) => tool_use_id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(results[0].content).toMatchObject([{ type: 'image', source: { media_type: 'image/jpeg' } }]);
  expect(results[2]).toMatchObject({
    is_error: true,
    content: [{ type: 'text', text: expect.stringContaining('1280 × 800') }],
  });
  expect(results[3].content[0]).toEqual({ type: 'text', text: 'The cursor is at 150, 120.' });
});

test('computer-gemini.ts does what the model says, and shows it what came of that', async () => {
  const call = (name: string, args: object) => ({
    candidates: [
      { content: { role: 'model', parts: [{ text: 'I see.' }, { functionCall: { name, args } }] } },
    ],
  });
  const [x, y] = [(150 / 1280) * 1000, (120 / 720) * 1000];
  models.script([
    call('open_web_browser', {}),
    call('type_text_at', { x, y, text: 'Gemini', press_enter: true }),
    { candidates: [{ content: { role: 'model', parts: [{ text: 'It is ordered.' }] } }] },
  ]);
  expect(await example('computer-gemini.ts')).toBe('It is ordered.\n');
  expect(sent()).toBe('/sent?name=Gemini');
  const [first, second] = models.asked
    .slice(1)
    .map(({ contents }) => contents.at(-1).parts[0].functionResponse);
  expect(first).toMatchObject({ name: 'open_web_browser', response: { url: `${site.origin}/form` } });
  expect(second).toMatchObject({
    name: 'type_text_at',
    response: { url: `${site.origin}/sent?name=Gemini` },
  });
  expect(second.parts[0].inlineData.mimeType).toBe('image/jpeg');
});

test('what a model wants confirmed is not done before it is', async () => {
  const done: unknown[] = [];
  const screen = {
    async computer(actions: unknown): Promise<api.ComputerAnswer> {
      done.push(actions);
      return { actions: [], dialogs: [], openedTabs: [], success: true } as unknown as api.ComputerAnswer;
    },
  };
  const args = {
    x: 1,
    y: 2,
    safety_decision: { decision: 'require_confirmation', explanation: 'This buys a boat.' },
  };
  const gemini = { candidates: [{ content: { parts: [{ functionCall: { name: 'click_at', args } }] } }] };
  const checks = [{ id: 'check', code: 'malicious_instructions', message: 'The page may be hostile.' }];
  const openai = {
    output: [
      { type: 'computer_call', call_id: 'a', action: { type: 'wait' }, pending_safety_checks: checks },
    ],
  };
  await expect(answerGemini(screen, gemini)).rejects.toThrow('This buys a boat. Pass `confirm`');
  await expect(answerOpenAI(screen, openai, { confirm: () => false })).rejects.toMatchObject({
    code: 'CONFIRMATION_REQUIRED',
  });
  expect(done).toEqual([]);
  const heard: string[] = [];
  const confirm = async (what: string) => heard.push(what) > 0;
  const [part] = await answerGemini(screen, gemini, { confirm });
  expect(part?.functionResponse.response).toMatchObject({ safety_acknowledgement: 'true' });
  const [output] = await answerOpenAI(screen, openai, { confirm });
  expect(output?.acknowledged_safety_checks).toEqual(checks);
  expect([heard.length, done.length]).toEqual([2, 2]);
});

test('the loops of the guide are those of the programs', async () => {
  const guide = await readFile(join(root, 'docs/computer-use.md'), 'utf8');
  const blocks = [...guide.matchAll(/```typescript\n\/\/ (computer-\w+\.ts)\n([\s\S]*?)```/g)];
  expect(blocks.map(([, name]) => name)).toEqual([
    'computer-openai.ts',
    'computer-anthropic.ts',
    'computer-gemini.ts',
  ]);
  for (const [, name = '', code = ''] of blocks)
    expect(await readFile(join(root, 'examples', name), 'utf8'), name).toContain(code.trim());
});
