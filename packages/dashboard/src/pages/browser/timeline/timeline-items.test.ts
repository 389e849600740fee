import type { api } from '@browserd/sdk';
import { describe, expect, test } from 'vitest';
import { timelineItems } from './timeline-items.ts';

let seq = 0;
const event = (type: string, data: Record<string, unknown> = {}, second = 0): api.Event => ({
  id: `event_${++seq}`,
  type: type as api.EventType,
  browserId: 'browser_1',
  at: new Date(second * 1000).toISOString(),
  seq,
  data,
});

describe('lines of the timeline', () => {
  test('a script that began and ended is one line with its time', () => {
    const items = timelineItems([
      event('script.started', {}, 1),
      event('tab.navigated', { url: 'https://a.test/' }, 2),
      event('script.failed', { code: 'SCRIPT_TIMEOUT' }, 4),
      event('script.started', {}, 5),
    ]);
    expect(items).toMatchObject([
      { says: 'Script failed', about: 'SCRIPT_TIMEOUT', tone: 'bad', at: 1000, endedAt: 4000 },
      { says: 'Went to', about: 'https://a.test/' },
      { says: 'Script started', tone: 'busy', at: 5000 },
    ]);
    expect(items[2]?.endedAt).toBeUndefined();
  });

  test('downloads and dialogs that overlap are kept apart', () => {
    const items = timelineItems([
      event('download.started', { downloadId: 'a', suggestedFilename: 'a.txt' }, 1),
      event('download.started', { downloadId: 'b', suggestedFilename: 'b.txt' }, 2),
      event('download.completed', { downloadId: 'a', suggestedFilename: 'a.txt' }, 3),
    ]);
    expect(items.map(({ says, about }) => [says, about])).toEqual([
      ['Downloaded', 'a.txt'],
      ['Download started', 'b.txt'],
    ]);
  });

  test('the same again is counted', () => {
    const blocked = { url: 'https://ads.test/', host: 'ads.test', rule: 'blocked_domain' };
    const items = timelineItems([event('policy.blocked', blocked), event('policy.blocked', blocked)]);
    expect(items).toMatchObject([{ says: 'Blocked by policy (blocked domain)', count: 2, tone: 'bad' }]);
  });

  test('an end without a known beginning is a line of its own, and so is an unknown event', () => {
    const items = timelineItems([event('script.completed'), event('moon.landed')]);
    expect(items.map(({ says }) => says)).toEqual(['Script finished', 'moon.landed']);
  });
});
