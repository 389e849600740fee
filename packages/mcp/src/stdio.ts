import { inspect } from 'node:util';
import type { Browserd } from '@browserd/sdk';
import { serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { createMcpServer, type McpOptions } from './server.ts';

/** For a client that starts this process and speaks over its pipes. Over when the client closes them. */
export async function serveStdio(
  client: Browserd,
  { privateAccess }: Pick<McpOptions, 'privateAccess'> = {},
): Promise<void> {
  // stdout belongs to the protocol
  const onError = (error: unknown): void => {
    process.stderr.write(`${inspect(error)}\n`);
  };
  const gone = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  const connection = serve(() => createMcpServer(client, { privateAccess, onError }), { onerror: onError });
  await gone;
  await connection.close();
}
