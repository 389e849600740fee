/** A tool is a value: its description for a language model, its input and output, and its handler. */
import type { Browserd } from '@browserd/sdk';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Answer } from '../answers/answers.ts';

export interface ToolCall {
  client: Browserd;
  /** The address of the service, as people reach it. */
  publicUrl: string;
  /** Fires when the caller cancels the call. */
  signal: AbortSignal;
  /** Fires when the service is about to stop: waiting calls end. */
  stopping: AbortSignal;
  /** Sent to the caller while it waits, if it requested progress. */
  progress(message: string): void;
}

interface About {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> extends About {
  input: Input;
  withPrivateAccess?: z.ZodRawShape;
  /** Absent when the answer is a picture: some clients drop pictures next to structured content. */
  output?: Output;
  run(args: z.output<Input>, call: ToolCall): Promise<Answer<z.input<Output>>>;
}

export interface Tool extends About {
  input: z.ZodObject;
  /** Fields added to `input`, or replaced in it, where the operator lets models choose private addresses and proxies. */
  withPrivateAccess?: z.ZodRawShape;
  output?: z.ZodObject;
  run(args: unknown, call: ToolCall): Promise<Answer>;
}

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool => ({ ...definition, run: (args, call) => definition.run(args as z.output<Input>, call) });
