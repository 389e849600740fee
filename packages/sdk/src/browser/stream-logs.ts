/** Runs a script as an event stream, so that the caller gets each log entry while the script still runs. */
import { BrowserdError, ConnectionError } from '../errors.ts';
import type { Error as ApiError, ScriptExecution } from '../generated/schemas.ts';
import { type Api, type Call, chunksOf, readFrames, type WorkOptions } from '../http/http.ts';

export type OnLog = (entry: ScriptExecution['logs'][number]) => void;

export const runStreamingLogs = (
  api: Api,
  call: Call,
  onLog: OnLog,
  options: WorkOptions,
): Promise<ScriptExecution> =>
  api.read(
    'ScriptController_execute',
    { ...call, headers: { ...call.headers, accept: 'text/event-stream' } },
    options,
    async ({ body }) => {
      if (body)
        for await (const { event, data } of readFrames(chunksOf(body))) {
          if (event === 'log') onLog(JSON.parse(data));
          if (event === 'result') return JSON.parse(data) as ScriptExecution;
          if (event === 'error') throw new BrowserdError((JSON.parse(data) as ApiError).error, 0);
        }
      throw new ConnectionError('CONNECTION_FAILED', 'The line broke before the script had ended.');
    },
  );
