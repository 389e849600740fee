// Computer use with Anthropic: the model looks at pictures of the page and acts by places in them, until it is done.
//
//   npm run example -- computer-anthropic "Find the phone number" [address to begin at]   (with ANTHROPIC_API_KEY set)
import { type AnthropicToolResult, answerAnthropic, Browserd } from '@browserd/sdk';
import { onlyThis } from './target.ts';

const [task = 'Say what this page is about.', startUrl = 'https://example.com'] = process.argv.slice(2);
const { ANTHROPIC_BASE_URL = 'https://api.anthropic.com', ANTHROPIC_API_KEY = '' } = process.env;
const { ANTHROPIC_MODEL = 'claude-opus-4-5' } = process.env;
const viewport = { width: 1280, height: 800 };

interface Message {
  role: 'assistant' | 'user';
  content: string | ({ type: string; text?: string } | AnthropicToolResult)[];
}

const size = { display_width_px: viewport.width, display_height_px: viewport.height };
const tools = [{ type: 'computer_20251124', name: 'computer', enable_zoom: true, ...size }];

async function ask(messages: Message[]): Promise<{ content: { type: string; text?: string }[] }> {
  const answer = await fetch(`${ANTHROPIC_BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: {
      'x-api-key': ANTHROPIC_API_KEY,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'computer-use-2025-11-24',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: ANTHROPIC_MODEL, max_tokens: 4096, tools, messages }),
  });
  if (!answer.ok) throw new Error(`The model answered ${answer.status}: ${await answer.text()}`);
  return answer.json() as Promise<{ content: { type: string; text?: string }[] }>;
}

await using browser = await new Browserd().browsers.create({
  startUrl,
  viewport,
  policy: onlyThis(startUrl),
});

const messages: Message[] = [{ role: 'user', content: task }];
let message = await ask(messages);
for (let steps = 0; steps < 50; steps++) {
  const results = await answerAnthropic(browser, message);
  if (results.length === 0) break;
  messages.push({ role: 'assistant', content: message.content }, { role: 'user', content: results });
  message = await ask(messages);
}

console.log(message.content.map(({ text }) => text).join('\n'));
