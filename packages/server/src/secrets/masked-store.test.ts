import { expect, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anArtifact, anEvent, aProfile, aProfileVersion } from '../../tests/support/samples.ts';
import { maskingEvents } from './masked-store.ts';
import { Masks } from './masks.ts';

const value = 'correct-horse-battery';

test('events are masked whatever they are written with, and all else is passed on', async () => {
  const database = await freshDatabase('sqlite');
  const plain = await database.open();
  const { id: projectId } = await plain.projects.ensure('default');
  const masks = new Masks();
  await masks.add(projectId, [value]);
  const store = maskingEvents(plain, masks);
  const browser = aBrowser({ projectId, status: 'ready' });
  let told = 0;
  const events = () => [anEvent(browser, { data: { n: ++told, text: `it is ${value}` } })];
  const options = { quotaBytes: null, events: [] };

  const profile = aProfile({ projectId, name: 'shop' });
  await store.profiles.insert(profile, { quotaBytes: null, events: events() });
  // The fourth argument claims the profile: a second browser is refused.
  expect(await store.browsers.insert(browser, events(), undefined, { writes: profile.id })).toBe('inserted');
  const second = aBrowser({ projectId, status: 'ready' });
  expect(await store.browsers.insert(second, [], undefined, { writes: profile.id })).toEqual({
    heldBy: browser.id,
  });
  await store.browsers.change(browser.id, { status: ['ready'], epoch: browser.epoch }, {}, events());
  await store.artifacts.insert(anArtifact(browser), null, events());
  await store.profiles.change(profile.id, projectId, { updatedAt: 1 }, events());
  await store.profiles.addVersion(
    aProfileVersion(profile, { version: 1 }),
    { version: 0, writer: browser.id },
    { ...options, keep: 5, events: events() },
  );
  await store.profiles.release(profile.id, browser.id);
  await store.profiles.remove(profile.id, projectId, events());
  await store.events.append(events());

  const written = await plain.events.list({ projectId, limit: 100 });
  expect(written.map(({ data }) => data.n)).toEqual(Array.from({ length: told }, (_, n) => n + 1));
  expect(JSON.stringify(written)).not.toContain(value);
});
