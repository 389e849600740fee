/**
 * A model that speaks OpenAI's API and answers by rule: of the tree that a framework shows it, the element whose name the
 * instruction has; of a page, the numbers and headings that a schema asks for. So a trial proves that the framework saw the
 * page and acted on it, without a model's moods.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Model extends AsyncDisposable {
  /** The base of the API, with `/v1`. */
  url: string;
}

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
}

/** `[0-16] button: Greet` */
const linesOf = (tree: string) =>
  [...tree.matchAll(/\[(\d+-\d+)\] ([^:\n]+)(?:: (.*))?/g)].map(([, id = '', role = '', name = '']) => ({
    id,
    role: role.trim(),
    name: name.trim(),
  }));

/** What the instruction puts into quotes is typed; without any, the element is clicked. */
function actionFor(asked: string) {
  const [before = '', tree = ''] = asked.split(/Accessibility Tree:/i);
  const instruction = /following action: (.*?)\. /s.exec(before)?.[1] ?? before;
  const wanted = instruction.toLowerCase();
  const found = linesOf(tree).find(
    ({ role, name }) => /button|link|textbox/.test(role) && name && wanted.includes(name.toLowerCase()),
  );
  if (!found) return null;
  const typed = /["'](.+?)["']/.exec(instruction)?.[1];
  return {
    elementId: found.id,
    description: `${found.role} ${found.name}`,
    method: typed ? 'fill' : 'click',
    arguments: typed ? [typed] : [],
  };
}

/** A value for each property that is asked for, by its type. */
const valuesFor = (schema: Schema, asked: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, { type }]) => {
      if (type === 'boolean') return [name, true];
      if (type === 'number' || type === 'integer') return [name, Number(/(\d+) euros/.exec(asked)?.[1])];
      return [name, linesOf(asked).find(({ role }) => role === 'heading')?.name ?? ''];
    }),
  );

function answerTo(asked: string, schema: Schema): object {
  if (schema.properties?.action) return { action: actionFor(asked), twoStep: false };
  if (schema.properties?.elements) {
    const found = actionFor(asked);
    return { elements: found ? [found] : [] };
  }
  return valuesFor(schema, asked);
}

interface Message {
  content?: string | { text?: string }[];
}

const textIn = ({ content = '' }: Message): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');

interface Asked {
  /** Of the API of responses. */
  input?: Message[];
  text?: { format?: { schema?: Schema } };
  /** Of the older one of chats. */
  messages?: Message[];
  response_format?: { json_schema?: { schema: Schema } };
}

function reply({ input, text, messages, response_format: format }: Asked): object {
  const about = { id: 'answer-1', model: 'scripted', created: 0, created_at: 0 };
  const said = (input ?? messages ?? []).map(textIn).at(-1) ?? '';
  const schema = text?.format?.schema ?? format?.json_schema?.schema ?? {};
  const answer = JSON.stringify(answerTo(said, schema));
  if (messages) {
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answer } }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return { ...about, object: 'chat.completion', choices, usage };
  }
  const content = [{ type: 'output_text', text: answer, annotations: [] }];
  const output = [{ type: 'message', id: 'message-1', role: 'assistant', status: 'completed', content }];
  const usage = { input_tokens: 1, output_tokens: 1 };
  return { ...about, object: 'response', status: 'completed', output, usage };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  response.setHeader('content-type', 'application/json');
  try {
    response.end(JSON.stringify(reply(JSON.parse(Buffer.concat(chunks).toString()) as Asked)));
  } catch (error) {
    const told = { message: `${error}`, type: 'invalid_request_error' };
    response.writeHead(400).end(JSON.stringify({ error: told }));
  }
}

export async function startModel(): Promise<Model> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
