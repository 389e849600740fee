/**
 * Which maker's words an action is in, and its reading into the plain shape:
 *
 *   {type, …}   plain, or OpenAI where it uses a word of its own        {action, coordinate …}   Anthropic
 *   {name, args}   Gemini
 *
 * An action that none of them has is refused with its name, and so is a field.
 */
import type { z } from 'zod';
import { nearest } from '../../kit/nearest.ts';
import { actionTypes, type PlainInput } from './actions-schema.ts';
import { anthropicActions } from './anthropic-shape.ts';
import { geminiActions } from './gemini-shape.ts';
import { isOpenai, openaiActions } from './openai-shape.ts';
import type { Readers } from './shape.ts';

type Refine = z.RefinementCtx;

/** What is not an object is left to the plain schema, which says so. */
export function readShape(given: unknown, context: Refine): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const said = given as Record<string, unknown>;
  if (typeof said.action === 'string') {
    const { action, ...fields } = said;
    return read(anthropicActions, String(action), fields, context, ['action'], []);
  }
  if (typeof said.name === 'string' && !('type' in said)) {
    const { name, args = {}, id: _ofTheCall, ...rest } = said;
    for (const field of Object.keys(rest)) refuse(context, [field], 'unknown field');
    return read(geminiActions, name, args, context, ['name'], ['args']);
  }
  if (isOpenai(said)) {
    const { type, ...fields } = said;
    return read(openaiActions, String(type), fields, context, ['type'], []);
  }
  if (typeof said.type === 'string' && !actionTypes.includes(said.type))
    refuse(context, ['type'], unknownAction(said.type, actionTypes));
  else if (said.type === undefined)
    refuse(context, ['type'], `missing; an action has a type: ${actionTypes.join(', ')}`);
  else return said;
  return undefined;
}

function read(
  readers: Readers,
  name: string,
  fields: unknown,
  context: Refine,
  namedAt: string[],
  below: string[],
): PlainInput | undefined {
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (!reader) {
    refuse(context, namedAt, unknownAction(name, Object.keys(readers)));
    return undefined;
  }
  const { data, error } = reader.fields.safeParse(fields);
  if (!error) return reader.plain(data);
  for (const issue of error.issues)
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) refuse(context, [...below, ...issue.path, key], 'unknown field');
    else refuse(context, [...below, ...issue.path], issue.message);
  return undefined;
}

function unknownAction(name: string, known: readonly string[]): string {
  const [near] = nearest(name, known, 1);
  return `there is no action “${name.slice(0, 64)}”${near ? `; ${near} may be meant` : ''}. The actions are ${known.join(', ')}`;
}

const refuse = (context: Refine, path: PropertyKey[], message: string): void =>
  context.addIssue({ code: 'custom', path, message });
