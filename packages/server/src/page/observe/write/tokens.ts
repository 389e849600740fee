/**
 * How many tokens of a model a text takes, roughly. The vocabulary of a real tokenizer costs a service 45 to 220 MB of memory and
 * a hostile text costs it seconds, so rules by kinds of words do: on trees and prose within a few percent of o200k.
 */
import { estimateTokenCount } from 'tokenx';
import { inSteps, shareOf } from '../../../kit/loop-share.ts';

const stepChars = 8192;

function* counting(text: string): Generator<void, number> {
  let tokens = 0;
  for (let from = 0; from < text.length; from += stepChars) {
    tokens += estimateTokenCount(text.slice(from, from + stepChars));
    yield;
  }
  return tokens;
}

export const countTokens = (projectId: string, text: string): Promise<number> =>
  inSteps(shareOf(projectId), counting(text));
