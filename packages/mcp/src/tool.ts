import type { Browserd } from '@browserd/sdk';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';

/** A tool is a value: what a language model reads of it, what it takes and gives, and what it does. */
export interface ToolCall {
  client: Browserd;
  /** The service, as people reach it. */
  publicUrl: string;
  /** Fires when the caller gives the call up. */
  signal: AbortSignal;
  /** Fires when the service is about to stop: what only waits comes to an end. */
  stopping: AbortSignal;
  /** Told to the caller while it waits, if it asked for that. */
  progress(message: string): void;
}

export interface Answer<Data = unknown> {
  /** For the model. */
  text: string;
  /** The same for programs; in the shape of `output`. */
  data: Data;
  image?: { data: string; mimeType: string };
  /** What the model asked for did not work, though the call did. */
  failed?: boolean;
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
  /** Absent where the answer is a picture: some clients drop pictures beside structured content. */
  output?: Output;
  run(args: z.output<Input>, call: ToolCall): Promise<Answer<z.input<Output>>>;
}

export interface Tool extends About {
  input: z.ZodObject;
  /** What `input` has besides, or instead, where the operator lets models choose private addresses and proxies. */
  withPrivateAccess?: z.ZodRawShape;
  output?: z.ZodObject;
  run(args: unknown, call: ToolCall): Promise<Answer>;
}

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool => ({ ...definition, run: (args, call) => definition.run(args as z.output<Input>, call) });
