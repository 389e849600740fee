// Computer use with OpenAI: the model looks at pictures of the page and acts by places in them, until it is done.
//
//   npm run example -- computer-openai "Find the phone number" [address to begin at]   (with OPENAI_API_KEY set)
import { answerOpenAI, Browserd } from '@browserd/sdk';
import { onlyThis } from './target.ts';

const [task = 'Say what this page is about.', startUrl = 'https://example.com'] = process.argv.slice(2);
const {
  OPENAI_BASE_URL = 'https://api.openai.com/v1',
  OPENAI_API_KEY = '',
  OPENAI_MODEL = 'gpt-5.4',
} = process.env;

interface Response {
  id: string;
  output: { type: string; content?: { text?: string }[] }[];
}

async function ask(input: unknown, previous_response_id?: string): Promise<Response> {
  const answer = await fetch(`${OPENAI_BASE_URL}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: OPENAI_MODEL,
      tools: [{ type: 'computer' }],
      input,
      previous_response_id,
      truncation: 'auto',
    }),
  });
  if (!answer.ok) throw new Error(`The model answered ${answer.status}: ${await answer.text()}`);
  return answer.json() as Promise<Response>;
}

await using browser = await new Browserd().browsers.create({ startUrl, policy: onlyThis(startUrl) });

let response = await ask(task);
for (let steps = 0; steps < 50; steps++) {
  const outputs = await answerOpenAI(browser, response);
  if (outputs.length === 0) break;
  response = await ask(outputs, response.id);
}

console.log(response.output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join('\n'));
