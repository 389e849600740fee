/**
 * A caller that shows results to a model shows the beginning of a long one. It would parse megabytes to cut them, so they are cut here,
 * as text and after all else that is done to a result.
 */
import { inSteps, type Share } from '../../kit/loop-share.ts';
import { RawJson } from '../../kit/raw-json.ts';
import type { Execution } from './schema.ts';

export async function cutResult(
  share: Share,
  result: unknown,
  mostChars: number | undefined,
): Promise<Pick<Execution, 'result' | 'resultCut'>> {
  if (mostChars === undefined) return { result };
  const json = result instanceof RawJson ? result : new RawJson(Buffer.from(JSON.stringify(result)));
  const chars = await inSteps(share, json.chars());
  if (chars <= mostChars) return { result };
  return { result: null, resultCut: { json: json.start(mostChars), chars } };
}
