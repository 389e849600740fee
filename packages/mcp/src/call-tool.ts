import type { Browserd } from '@browserd/sdk';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { failureOf, failureText } from './failure.ts';
import type { Answer, Tool } from './tool.ts';

/** One call of a tool: progress while it runs, and an answer also where it fails. */
export interface CallParts {
  client: Browserd;
  publicUrl: string;
  stopping: AbortSignal;
  onError(error: unknown): void;
}

const beatMs = 2000;

export async function callTool(
  tool: Tool,
  args: unknown,
  { onError, ...parts }: CallParts,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const told = teller(mcpReq);
  const began = Date.now();
  const beat = setInterval(() => told(`${Math.round((Date.now() - began) / 1000)} s`), beatMs);
  try {
    return resultOf(await tool.run(args, { ...parts, signal: mcpReq.signal, progress: told }));
  } catch (error) {
    const failed = failureOf(error);
    if (failed.code === 'INTERNAL' && !mcpReq.signal.aborted) onError(error);
    return { isError: true, content: [{ type: 'text', text: failureText(failed) }] };
  } finally {
    clearInterval(beat);
  }
}

function resultOf({ text, data, image, failed }: Answer): CallToolResult {
  const texts: CallToolResult['content'] = [{ type: 'text', text }];
  if (failed) return { isError: true, content: texts };
  if (image) return { content: [{ type: 'image', ...image }, ...texts] };
  return { content: texts, structuredContent: data as Record<string, unknown> };
}

/** Numbers that only grow, as the protocol wants it; nothing where nobody asked. A caller that is gone is no failure. */
function teller({ _meta, notify }: ServerContext['mcpReq']): (message: string) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return (message) => {
    progress++;
    notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(
      () => {},
    );
  };
}
