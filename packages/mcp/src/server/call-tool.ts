/** One call of a tool: progress while it runs, and an answer also when it fails. */
import type { Browserd } from '@browserd/sdk';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { type Answer, failureOf, failureText } from '../answers/answers.ts';
import type { Tool } from '../tools/tools.ts';

export interface CallParts {
  client: Browserd;
  publicUrl: string;
  stopping: AbortSignal;
  onError(error: unknown): void;
}

const heartbeatMs = 2000;

export async function callTool(
  tool: Tool,
  args: unknown,
  { onError, ...parts }: CallParts,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const report = progressReporter(mcpReq);
  const began = Date.now();
  const heartbeat = setInterval(() => report(`${Math.round((Date.now() - began) / 1000)} s`), heartbeatMs);
  try {
    return resultOf(await tool.run(args, { ...parts, signal: mcpReq.signal, progress: report }));
  } catch (error) {
    const failed = failureOf(error);
    if (failed.code === 'INTERNAL' && !mcpReq.signal.aborted) onError(error);
    return { isError: true, content: [{ type: 'text', text: failureText(failed) }] };
  } finally {
    clearInterval(heartbeat);
  }
}

function resultOf({ text, data, image, failed }: Answer): CallToolResult {
  const texts: CallToolResult['content'] = [{ type: 'text', text }];
  if (failed) return { isError: true, content: texts };
  if (image) return { content: [{ type: 'image', ...image }, ...texts] };
  return { content: texts, structuredContent: data as Record<string, unknown> };
}

/** The protocol requires numbers that grow, and a token of the caller. A caller that has disconnected is no failure. */
function progressReporter({ _meta, notify }: ServerContext['mcpReq']): (message: string) => void {
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
