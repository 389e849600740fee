/** The MCP servers of the guides, started from the configuration that the guide gives for them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { folderOf } from './programs.ts';

export interface Tools extends AsyncDisposable {
  names: string[];
  /** The text that a tool answers with; fails where that is an error. */
  use(name: string, args?: Record<string, unknown>): Promise<string>;
  /** The text of the error that it answers with. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
}

interface Configuration {
  mcpServers: Record<string, { command: string; args: string[] }>;
}

/** `npx NAME@latest …` is the program of the package that is installed in the project. */
function programOf(project: string, named: string): string {
  const name = named.replace(/@latest$/, '');
  const manifest = createRequire(join(folderOf(project), 'package.json')).resolve(`${name}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> | string };
  const file = typeof bin === 'string' ? bin : (bin[name] ?? Object.values(bin)[0] ?? '');
  return join(dirname(manifest), file);
}

const callMs = 120_000;

export async function startTools(project: string, configuration: string): Promise<Tools> {
  const [server] = Object.values((JSON.parse(configuration) as Configuration).mcpServers);
  assert(server?.command === 'npx' && server.args[0], 'the guide starts it with npx');
  const folder = await mkdtemp(join(tmpdir(), 'browserd-frameworks-'));
  const client = new Client({ name: 'trial', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programOf(project, server.args[0]), ...server.args.slice(1)],
    env: { PATH: process.env.PATH ?? '', HOME: folder },
    cwd: folder,
    stderr: 'ignore',
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const call = async (name: string, args: Record<string, unknown>) => {
    const params = { name, arguments: args };
    const { content, isError } = (await client.callTool(params, { timeout: callMs })) as CallToolResult;
    return {
      isError,
      text: content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n'),
    };
  };
  return {
    names: tools.map(({ name }) => name),
    async use(name, args = {}) {
      const { isError, text } = await call(name, args);
      assert(!isError, `${name}: ${text}`);
      return text;
    },
    async refused(name, args = {}) {
      const { isError, text } = await call(name, args);
      assert(isError, `${name} was not refused: ${text}`);
      return text;
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
