/** Browser code: the heart of the product. Code that throws is a good answer, with `success: false`. */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { giveBack } from '../../kit/give-back.ts';
import { RawJson } from '../../kit/raw-json.ts';
import type { LogEntry, Scripts } from '../../page/page.ts';
import { type Execution, executeSchema, executionSchema } from '../../page/script/schema.ts';
import { answers, bodyCodes } from '../contract/contract.ts';
import { readIfMatch } from '../in/in.ts';
import { tellAsItRuns, wantsStream } from '../out/out.ts';
import { type App, hangUp } from '../wire/wire.ts';

export interface ScriptParts {
  scripts: Pick<Scripts, 'execute'>;
  heartbeatMs: number;
  /** Of a call with large `args`. */
  bodyLimit: number;
}

const aboutStream =
  'With `Accept: text/event-stream` the answer is a stream of Server-Sent Events: `event: log` for each entry of `logs` as it comes, then `event: result` with what is answered otherwise, or `event: error`.';

/** Failures inside a good answer name their request, as every other does. */
function identified({ error, observation, ...execution }: Execution, requestId: string): Execution {
  const named = <E extends { details: Record<string, unknown> }>(failure: E): E => ({
    ...failure,
    details: { ...failure.details, requestId },
  });
  return {
    ...execution,
    ...(error && { error: named(error) }),
    ...(observation && {
      observation: { ...observation, ...(observation.error && { error: named(observation.error) }) },
    }),
  };
}

/** The answer, or its place in the stream: a large result goes out as it came from the runner. */
function written({ result, ...rest }: Execution): string | Buffer {
  return result instanceof RawJson ? result.writtenInto('result', rest) : JSON.stringify({ result, ...rest });
}

function answer(reply: FastifyReply, execution: Execution): unknown {
  if (!(execution.result instanceof RawJson)) return execution;
  const body = written(execution);
  reply.raw.once('finish', () => giveBack(body));
  return reply.type('application/json; charset=utf-8').send(body);
}

export function scriptRoutes(app: App, { scripts, heartbeatMs, bodyLimit }: ScriptParts): void {
  app.route({
    method: 'POST',
    url: '/v1/browsers/:id/script/execute',
    bodyLimit,
    config: {
      ifMatch: true,
      examples: {
        request: {
          code: "await page.goto('https://example.com'); return page.title()",
          capture: { status: true },
        },
      },
    },
    schema: {
      operationId: 'ScriptController_execute',
      summary: 'Run browser code',
      description:
        'Runs the body of an async function with Playwright 1.65 against the browser. Calls on one browser run one at a time, in order. Code that throws is answered with 200 and `success: false`; a caller that hangs up ends its call. ' +
        aboutStream,
      tags: ['Scripts'],
      params: z.object({ id: z.string() }),
      body: executeSchema,
      response: answers(
        {
          200: {
            description: 'The code has ended, or the stream.',
            schema: executionSchema,
            type: 'text/event-stream',
          },
        },
        [
          ...bodyCodes,
          'BROWSER_NOT_FOUND',
          'TAB_NOT_FOUND',
          'BROWSER_NOT_READY',
          'EPOCH_CHANGED',
          'SCRIPT_QUEUE_FULL',
          'BROWSER_CRASHED',
          'BROWSER_UNRESPONSIVE',
          'RUNNER_UNAVAILABLE',
          'ISOLATION_UNAVAILABLE',
          'SERVICE_SHUTTING_DOWN',
        ],
      ),
    },
    handler: async (request, reply) => {
      const { principal, params, body } = request;
      const gone = hangUp(reply.raw);
      const call = { ...body, ifEpoch: readIfMatch(request.headers['if-match']) };
      const execute = async (onLog?: (entry: LogEntry) => void) =>
        identified(await scripts.execute(principal, params.id, call, gone, onLog), request.id);
      return wantsStream(request)
        ? tellAsItRuns(request, reply, heartbeatMs, async (onLog) => written(await execute(onLog)))
        : answer(reply, await execute());
    },
  });
}
