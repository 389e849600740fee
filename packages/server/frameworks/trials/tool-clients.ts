/** MCP clients at the tools of the service itself, over both ways. */
import assert from 'node:assert/strict';
import { filledIn, snippet } from '../guide.ts';
import { runProgram } from '../programs.ts';
import type { Trial } from '../trial.ts';
import type { World } from '../world.ts';

/** The program that a guide's `npx --no-install … browserd` runs in the clone. */
const cli = new URL('../../../cli/src/browserd.ts', import.meta.url).pathname;

/** In the clone, with a browser that may visit the shop. */
const here = (code: string): string =>
  code
    .replace("command: 'npx'", () => `command: ${JSON.stringify(process.execPath)}`)
    .replace(/args: \['--no-install'.*\]/, () => `args: ${JSON.stringify([cli, 'mcp', '--allow-private'])}`)
    .replace(/(startUrl: '[^']*')/, '$1, policy: { privateAccess: { localhost: true } }');

const usesTools = (project: string, connects: string) => async (world: World) => {
  const code = snippet('MCP clients', connects) + snippet('MCP clients', 'client.listTools()');
  const output = await runProgram(project, here(filledIn(code, world, {})));
  assert.match(output, /^1\d tools /);
  assert.match(output, /heading "Shop"/);
};

const first = { project: 'with-mcp-sdk-1', framework: '@modelcontextprotocol/sdk' };
const second = { project: 'with-mcp-sdk-2', framework: '@modelcontextprotocol/client' };

export const toolClients: Trial[] = [
  {
    ...first,
    shows: 'the guide’s code, at /mcp',
    run: usesTools(first.project, "sdk/client/streamableHttp.js'"),
  },
  { ...first, shows: 'the guide’s code, over stdio', run: usesTools(first.project, "sdk/client/stdio.js'") },
  {
    ...second,
    shows: 'the guide’s code, at /mcp',
    run: usesTools(second.project, 'import { Client, StreamableHTTPClientTransport }'),
  },
  { ...second, shows: 'the guide’s code, over stdio', run: usesTools(second.project, "client/stdio'") },
];
