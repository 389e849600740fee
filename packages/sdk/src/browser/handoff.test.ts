import { expect, test } from 'vitest';
import { badLine, hangUp, json, refusal } from '../../tests/bad-line.ts';

const since = '2026-01-01T00:00:00.000Z';
const requested = json(200, { state: 'requested', since });

test('the wait for a person goes on through a recovery and a restart of the service', async () => {
  const line = await badLine(
    refusal(409, 'BROWSER_NOT_READY', 'wait'),
    requested,
    hangUp,
    refusal(502, 'NOT_OURS', 'retry'),
    json(200, { state: 'scripts', ended: 'returned', since }),
  );
  const { handoff } = line.client({ maxRetries: 0 }).browser('browser_1');
  expect(await handoff.finished()).toMatchObject({ ended: 'returned' });
});

test('a request that got lost meanwhile is not mistaken for a person handing back', async () => {
  const line = await badLine(requested, json(200, { state: 'scripts', since }));
  const { handoff } = line.client().browser('browser_1');
  await expect(handoff.finished()).rejects.toMatchObject({ code: 'HANDOFF_LOST' });
});

test('an error that does not pass by itself is reported at once', async () => {
  const finished = await badLine(json(200, { state: 'scripts', since }));
  expect(await finished.client().browser('browser_1').handoff.finished()).toMatchObject({ state: 'scripts' });
  for (const answer of [hangUp, refusal(409, 'BROWSER_NOT_READY', 'resume_browser')]) {
    const line = await badLine(answer);
    const { handoff } = line.client({ maxRetries: 0 }).browser('browser_1');
    await expect(handoff.finished()).rejects.toThrow();
    expect(line.asked).toHaveLength(1);
  }
});
