/** MCP over the pipes of a client that starts this process; ends when the client closes them. */
import { inspect } from 'node:util';
import type { Browserd } from '@browserd/sdk';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpOptions } from '../server/server.ts';

export async function serveStdio(
  client: Browserd,
  { privateAccess }: Pick<McpOptions, 'privateAccess'> = {},
): Promise<void> {
  // stdout belongs to the protocol
  const onError = (error: unknown): void => {
    process.stderr.write(`${inspect(error)}\n`);
  };
  const disconnected = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  const connection = serve(() => createMcpServer(client, { privateAccess, onError }), { onerror: onError });
  await disconnected;
  await connection.close();
}
