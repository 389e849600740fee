import { expect, test } from 'vitest';
import { launchRig } from '../../chromium/pipe/mux.fixture.ts';
import { lookInto, type PageSession } from '../reach/reach.ts';
import { rehearse } from './at-rest.ts';

const count = 'document.documentElement.querySelectorAll("*").length';

test('a rehearsal looks at a sample, and leaves nothing of it in the page', async () => {
  await using rig = await launchRig();
  const { cdp } = rig.chromium;
  const { targetInfos } = await cdp.send('Target.getTargets');
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  const page: PageSession = { cdp, sessionId, targetId };
  const before = await lookInto<number>(page, count);
  const look = `globalThis.looked = [document.title, document.links.length]`;

  await rehearse(page, { look }, AbortSignal.abort());
  expect(await lookInto(page, 'globalThis.looked')).toBeUndefined();

  await rehearse(page, { look }, new AbortController().signal);
  expect(await lookInto(page, 'globalThis.looked')).toEqual(['Sample', 13]);
  expect(await lookInto<number>(page, count)).toBeLessThanOrEqual(before);
});
