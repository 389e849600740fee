import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { TestServer } from './server.ts';

/** Code that specs run on a browser of theirs. */
export interface ScriptClient {
  execute(code: string, more?: object, browser?: string): Promise<Answer>;
  /** Of code that must succeed. */
  resultOf(code: string, more?: object): Promise<unknown>;
  /** Of code that must fail. */
  errorOf(code: string, more?: object): Promise<Answer['body']>;
}

export function scriptClient({ api }: TestServer, id: string): ScriptClient {
  const execute: ScriptClient['execute'] = (code, more = {}, browser = id) =>
    api.call('POST', `/v1/browsers/${browser}/script/execute`, { body: { code, ...more } });
  return {
    execute,
    async resultOf(code, more) {
      const { status, body } = await execute(code, more);
      expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
      return body.result;
    },
    async errorOf(code, more) {
      const { status, body } = await execute(code, more);
      expect({ status, success: body.success, result: body.result }).toEqual({
        status: 200,
        success: false,
        result: null,
      });
      return body.error;
    },
  };
}
