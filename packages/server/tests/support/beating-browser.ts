import { expect } from 'vitest';
import type { BeatingSite } from './beating-site.ts';
import type { Answer } from './client.ts';
import type { TestCluster, TestNode } from './cluster.ts';
import { eventually } from './server.ts';

/** A browser whose page beats, so that the site hears which of its lives reaches the network. */
export interface BeatingBrowser {
  id: string;
  /** How the page calls itself. */
  name: string;
  life: string;
}

export const execute = (node: TestNode, id: string, code: string): Promise<Answer> =>
  node.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });

/** On this node, and its cookie saved. */
export async function beatingBrowserOn(
  node: TestNode,
  { cluster, site }: { cluster: TestCluster; site: BeatingSite },
): Promise<BeatingBrowser> {
  const name = `b${Math.random().toString(36).slice(2)}`;
  const policy = { privateAccess: { localhost: true } };
  const { status, body } = await node.api.create({ policy, startUrl: site.page(name), name });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(await cluster.holderOf(body.id)).toBe(node);
  const life = await site.anotherThan(name, []);
  const changedAt = Date.now();
  await execute(node, body.id, `await page.evaluate(() => (document.cookie = 'saved=now'))`);
  await eventually(
    () => cluster.sql<{ at: string }>('select at from checkpoints where browser_id = $1', [body.id]),
    ([checkpoint]) => Number(checkpoint?.at ?? 0) > changedAt,
  );
  return { id: body.id, name, life };
}

/** Not one beat of the old life came after the first of the new. */
export function expectNoOverlap(site: BeatingSite, { name, life }: BeatingBrowser, next: string): void {
  const lastOfOld = Math.max(...site.ofLife(life).map(({ at }) => at));
  const firstOfNew = Math.min(...site.ofLife(next).map(({ at }) => at));
  expect(lastOfOld).toBeLessThan(firstOfNew);
  expect(site.lives(name)).toEqual([life, next]);
}
