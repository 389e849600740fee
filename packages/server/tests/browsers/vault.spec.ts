import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/client.ts';
import { openPolicy, profileClient } from '../support/profile-client.ts';
import { startServer } from '../support/server.ts';
import { shareStorage } from '../support/shared-storage.ts';
import { type SignInSite, startSignInSite } from '../support/sign-in-site.ts';

let site: SignInSite;
beforeAll(async () => {
  site = await startSignInSite();
});
afterAll(() => site.close());

const ann = ['ann', 'local ann', 'indexed ann'];

async function signedIn(api: Api): Promise<string> {
  const { body } = await api.create(openPolicy);
  await profileClient(api, site).signIn(body.id, 'ann');
  return body.id;
}

/** What its last start could not bring back. */
async function lost(api: Api, id: string): Promise<string[]> {
  const { body } = await api.call('GET', `/v1/browsers/${id}/events?limit=200`);
  const starts = body.items.filter(({ data }: { data: { lost?: string[] } }) => data.lost);
  return starts.at(-1).data.lost;
}

describe('a stopped browser', () => {
  test('comes back on another machine with cookies, local storage and IndexedDB', async () => {
    await using shared = await shareStorage();
    let id: string;
    {
      await using first = await startServer(await shared.node());
      id = await signedIn(first.api);
      expect((await first.api.stop(id)).body.status).toBe('stopped');
    }
    await using second = await startServer(await shared.node());
    expect((await second.api.resume(id)).body.status).toBe('ready');
    expect(await lost(second.api, id)).toEqual([]);
    expect(await profileClient(second.api, site).account(id)).toEqual(ann);
  });
});
