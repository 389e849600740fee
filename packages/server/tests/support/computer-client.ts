import { expect } from 'vitest';
import type { Api } from './client.ts';

/** A caller that uses the screen of one browser, and a script that looks what came of it. */
export interface Computer {
  use(actions: unknown, more?: object): ReturnType<Api['call']>;
  /** The same where all of it must succeed. */
  does(actions: unknown, more?: object): Promise<Awaited<ReturnType<Api['call']>>['body']>;
  run(code: string): Promise<unknown>;
  noted(): Promise<string[]>;
}

export function computerOf(api: Api, id: string): Computer {
  const use: Computer['use'] = (actions, more) =>
    api.call('POST', `/v1/browsers/${id}/computer`, { body: { actions, ...more } });
  const run = async (code: string): Promise<unknown> => {
    const { body } = await api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    expect(body.error).toBeUndefined();
    return body.result;
  };
  return {
    use,
    run,
    async does(actions, more) {
      const { status, body } = await use(actions, more);
      expect([status, body.error]).toEqual([200, undefined]);
      expect(body.success).toBe(true);
      return body;
    },
    noted: () => run('return page.evaluate(() => noted.splice(0))') as Promise<string[]>,
  };
}
