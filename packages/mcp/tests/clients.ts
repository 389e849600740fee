import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { compiledBefore } from '../../server/tests/support/server.ts';

/** The official client, over both ways, in both eras of the protocol. */
export type Era = 'legacy' | 'auto';

const newClient = (era: Era): Client =>
  new Client({ name: 'spec', version: '1.0.0' }, { versionNegotiation: { mode: era } });

export async function overHttp(
  { url, key }: { url: string; key: string },
  era: Era = 'legacy',
): Promise<Client> {
  const client = newClient(era);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

const program = new URL('./stdio.ts', import.meta.url).pathname;

export async function overStdio({ url, key }: { url: string; key: string }): Promise<Client> {
  const client = newClient('legacy');
  const own = { PATH: process.env.PATH ?? '', BROWSERD_URL: url, BROWSERD_API_KEY: key };
  const env = { ...own, ...compiledBefore };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env }));
  return client;
}

export type Use = (name: string, args?: Record<string, unknown>) => Promise<Used>;

export interface Used {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  data: any;
  isError: boolean;
  content: CallToolResult['content'];
}

/** Calls a tool; what it gives is checked against its output schema by the client, once it knows it. */
export const userOf =
  (client: Client): Use =>
  async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args });
    const { content, structuredContent, isError = false } = result as CallToolResult;
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    return { text, data: structuredContent, isError, content };
  };

/** What stands inside a fence; fails where there is none. */
export function unfenced(said: unknown): string {
  const [, , inside] =
    /^--- page content (\w{8}) begins[^\n]*\n([\s\S]*)\n--- page content \1 ends ---$/.exec(`${said}`) ?? [];
  return inside ?? expect.fail(`no fence: ${said}`);
}

/** Title, address and content, as the structured content has them. */
export function pageIn({ pageContent }: { pageContent: string }): {
  title: string;
  url: string;
  content: string;
} {
  const [, title = '', url = '', content = ''] =
    /^title: (.*)\nurl: (.*)(?:\n\n([\s\S]*))?$/.exec(unfenced(pageContent)) ?? [];
  return { title, url, content };
}

export const resultIn = ({ result }: { result: unknown }): unknown =>
  typeof result === 'string' ? JSON.parse(unfenced(result)) : result;

export async function succeed(used: Promise<Used>): Promise<Used> {
  const result = await used;
  expect(result.isError ? result.text : '').toBe('');
  return result;
}
