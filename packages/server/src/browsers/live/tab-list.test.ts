import { expect, test } from 'vitest';
import { TabList } from './tab-list.ts';
import { Watchers } from './watchers.ts';

const page = (targetId: string) => ({
  targetId,
  type: 'page',
  url: 'about:blank',
  title: '',
  attached: false,
  canAccessOpener: false,
});

test('a tab that Chromium has let go of is not the active one, though it is still told of', () => {
  const tabs = new TabList(new Watchers());
  for (const id of ['first', 'second']) {
    tabs.opened(page(id));
    tabs.attached(id, `session of ${id}`);
  }
  expect(tabs.active?.tabId).toBe('second');
  tabs.detached('session of second');
  expect(tabs.active?.tabId).toBe('first');
  tabs.destroyed('second');
  expect([tabs.active?.tabId, tabs.views().length]).toEqual(['first', 1]);
});

test('a tab that has just been opened is the active one before it is attached to', () => {
  const tabs = new TabList(new Watchers());
  tabs.opened(page('first'));
  tabs.attached('first', 'session of first');
  tabs.opened(page('second'));
  expect(tabs.active?.tabId).toBe('second');
});
