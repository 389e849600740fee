import type { Api, Call, WorkOptions } from './api.ts';
import { BrowserdError, ConnectionError } from './errors.ts';
import type { Error as ApiError, ScriptExecution } from './generated/types.ts';
import { chunksOf, readFrames } from './server-sent-events.ts';

export type OnLog = (entry: ScriptExecution['logs'][number]) => void;

/** Longer than the heartbeat of the service: a line that is silent for so long is dead. */
const silenceMs = 60_000;

/** A script whose log entries are told as they come; the answer is the same. */
export const runAloud = (
  api: Api,
  call: Call,
  onLog: OnLog,
  options: WorkOptions,
): Promise<ScriptExecution> =>
  api.read(
    'ScriptController_execute',
    { ...call, headers: { accept: 'text/event-stream' } },
    options,
    async ({ body }) => {
      if (body)
        for await (const { event, data } of readFrames(chunksOf(body, silenceMs))) {
          if (event === 'log') onLog(JSON.parse(data));
          if (event === 'result') return JSON.parse(data) as ScriptExecution;
          if (event === 'error') throw new BrowserdError((JSON.parse(data) as ApiError).error, 0);
        }
      throw new ConnectionError('CONNECTION_FAILED', 'The line broke before the script had ended.');
    },
  );
