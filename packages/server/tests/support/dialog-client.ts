import { expect } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import type { Answer } from './client.ts';
import { eventually, type TestServer } from './server.ts';

/** One browser whose pages ask questions, and what its owner does about them. */
export interface Asked {
  id: string;
  execute(code: string, more?: object): Promise<Answer>;
  result(code: string): Promise<unknown>;
  dialogs(query?: string): Promise<Answer>;
  answer(dialogId: string, body: object): Promise<Answer>;
  /** Resolves with the one that is open, once there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  opened(): Promise<any>;
}

/** Opens the question after the script has gone. */
export const later = (question: string): string =>
  `await page.evaluate(() => { setTimeout(() => { window.said = ${question}; }, 0); })`;

export async function createAsked({ api }: TestServer, input: object = {}): Promise<Asked> {
  const made = await api.create({ policy: { privateAccess: { localhost: true } }, ...input });
  expect(made.status).toBe(201);
  const { id } = made.body;
  const path = `/v1/browsers/${id}`;
  const execute: Asked['execute'] = (code, more) =>
    api.call('POST', `${path}/script/execute`, { body: { code, ...more } });
  const dialogs: Asked['dialogs'] = (query = '') => api.call('GET', `${path}/dialogs${query}`);
  return {
    id,
    execute,
    dialogs,
    async result(code) {
      const { body } = await execute(code);
      expect(body.error).toBeUndefined();
      return body.result;
    },
    answer: (dialogId, body) => api.call('POST', `${path}/dialogs/${dialogId}`, { body }),
    async opened() {
      const { body } = await eventually(
        () => dialogs('?state=open'),
        ({ body: page }) => page.items.length > 0,
      );
      return body.items[0];
    },
  };
}

export async function storedEvents(dataDir: string, browserId: string) {
  const store = await openStore({ databaseUrl: null, dataDir });
  const { id: projectId } = await store.projects.ensure('default');
  const events = await store.events.list({ projectId, browserId, limit: 10_000 });
  await store.close();
  return events;
}
