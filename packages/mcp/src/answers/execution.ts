/** The outcome of code in a browser for a model, cut to size: its result, its logs, and the page afterwards. */
import { type api, ScriptError } from '@browserd/sdk';
import { z } from 'zod';
import type { Answer } from './answer.ts';
import { failureOf, failureText } from './failure.ts';
import {
  hindrances,
  type Observation,
  observationOf,
  observationSchema,
  pageOf,
  pageSchema,
  pageText,
  type Wanted,
} from './observation.ts';
import { cut, fenced, oneLine, visible, visibleIn } from './page-content.ts';

export const executionSchema = z.object({
  browserId: z.string(),
  result: z.unknown().describe('As returned; the beginning of its JSON where that is too long.'),
  resultTruncated: z.boolean(),
  logs: z.array(z.string()),
  page: pageSchema,
  observation: observationSchema.optional().describe('Absent where the page shows the same as before.'),
  durationMs: z.int(),
});
type ExecutionData = z.infer<typeof executionSchema>;

const mostLogs = 30;
const longestLog = 300;

/** The last lines, which are nearest to a failure. */
const logsOf = ({ logs }: api.ScriptExecution): string[] => {
  const shown = logs.slice(-mostLogs).map(({ level, text }) => `${level}: ${oneLine(text, longestLog)}`);
  const left = logs.length - shown.length;
  return left > 0 ? [`(${left} earlier lines left out)`, ...shown] : shown;
};

/** A failed observation must not hide the outcome of the code. */
function observedAfter(execution: api.ScriptExecution, wanted: Wanted | undefined): [Observation?, string?] {
  try {
    return [wanted && observationOf(execution, wanted)];
  } catch (error) {
    return [undefined, `The page could not be observed:\n${failureText(failureOf(error))}`];
  }
}

export function executionAnswer(
  browserId: string,
  execution: api.ScriptExecution,
  { wanted, maxChars }: { wanted?: Wanted; maxChars: number },
): Answer<ExecutionData> {
  const { success, result, page, durationMs } = execution;
  const json = JSON.stringify(result ?? null);
  const resultTruncated = json.length > maxChars;
  const logs = logsOf(execution);
  const [observation, trouble] = observedAfter(execution, wanted);
  const unchanged = wanted && !observation && !trouble;
  const text = [
    success ? 'Done.' : failureText(failureOf(new ScriptError(execution))),
    json !== 'null' && `Result:\n${fenced(cut(json, maxChars))}`,
    resultTruncated &&
      `Cut: the result has ${json.length} characters. Return less, or keep it with files.write and read it with browser_files.`,
    logs.length > 0 && `Logs:\n${fenced(logs.join('\n'))}`,
    pageText(page, observation),
    unchanged && 'The page shows the same as when it was last observed.',
    trouble,
    hindrances(execution),
  ];
  return {
    failed: !success,
    data: {
      browserId,
      result: resultTruncated ? visible(cut(json, maxChars)) : visibleIn(result ?? null),
      resultTruncated,
      logs,
      page: pageOf(page),
      ...(observation && { observation }),
      durationMs,
    },
    text: text.filter(Boolean).join('\n'),
  };
}
