/** `mcp`: the tools for a language model on standard input and output. The package is loaded only when it is used. */
import type { Command } from 'commander';
import { act, type Call, unlessInterrupted } from '../call/call.ts';
import { examples } from '../options/options.ts';

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('tools for a language model, over stdin and stdout (Model Context Protocol)')
    .option('--allow-private', 'let the model choose private addresses and proxies, whatever a page tells it')
    .addHelpText(
      'after',
      `\nStarted by the program that the model runs in, from the FOLDER where browserd is installed:\n  ${setting}${examples('browserd mcp --url https://browsers.example.com')}`,
    )
    .action(
      act(async ({ client, options }: Call<{ allowPrivate?: boolean }>) => {
        const { serveStdio } = await import('@browserd/mcp');
        await unlessInterrupted(serveStdio(client, { privateAccess: options.allowPrivate }));
      }),
    );
}

const setting =
  '{ "mcpServers": { "browserd": { "command": "npx", "args": ["--no-install", "--prefix", "FOLDER", "browserd", "mcp"], "env": { "BROWSERD_API_KEY": "…" } } } }';
