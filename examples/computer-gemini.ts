// Computer use with Gemini: the model looks at pictures of the page and acts by places in them, until it is done.
//
//   npm run example -- computer-gemini "Find the phone number" [address to begin at]   (with GEMINI_API_KEY set)
import { createInterface } from 'node:readline/promises';
import { answerGemini, Browserd, type GeminiResponse } from '@browserd/sdk';
import { onlyThis } from './target.ts';

const [task = 'Say what this page is about.', startUrl = 'https://example.com'] = process.argv.slice(2);
const { GEMINI_BASE_URL = 'https://generativelanguage.googleapis.com/v1beta', GEMINI_API_KEY = '' } =
  process.env;
const { GEMINI_MODEL = 'gemini-2.5-computer-use-preview-10-2025' } = process.env;

interface Content {
  role: 'user' | 'model';
  parts: object[];
}

const tools = [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }];

async function ask(contents: Content[]): Promise<Content> {
  const answer = await fetch(`${GEMINI_BASE_URL}/models/${GEMINI_MODEL}:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': GEMINI_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ contents, tools }),
  });
  if (!answer.ok) throw new Error(`The model answered ${answer.status}: ${await answer.text()}`);
  const { candidates = [] } = (await answer.json()) as { candidates?: { content: Content }[] };
  return candidates[0]?.content ?? { role: 'model', parts: [] };
}

/** Some actions, such as buying, Gemini wants a person to confirm. */
async function confirm(what: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question(`${what} Go on? (yes/no) `);
  terminal.close();
  return said.trim() === 'yes';
}

await using browser = await new Browserd().browsers.create({ startUrl, policy: onlyThis(startUrl) });

const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }];
let content = await ask(contents);
for (let steps = 0; steps < 50; steps++) {
  const response: GeminiResponse = { candidates: [{ content }] };
  const parts = await answerGemini(browser, response, { confirm });
  if (parts.length === 0) break;
  contents.push(content, { role: 'user', parts });
  content = await ask(contents);
}

console.log(content.parts.map((part) => (part as { text?: string }).text ?? '').join('\n'));
