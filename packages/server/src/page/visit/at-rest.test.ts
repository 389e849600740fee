import { expect, test } from 'vitest';
import { launchRig } from '../../chromium/pipe/mux.fixture.ts';
import { lookInto, type PageSession } from '../reach/reach.ts';
import { rehearse } from './at-rest.ts';

const count = 'document.documentElement.querySelectorAll("*").length';

test('a rehearsal looks at a sample, and draws it, and leaves nothing of it in the page', async () => {
  await using rig = await launchRig();
  const { cdp } = rig.chromium;
  const { targetInfos } = await cdp.send('Target.getTargets');
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  const page: PageSession = { cdp, sessionId, targetId };
  const before = await lookInto<number>(page, count);
  const drawn: unknown[] = [];
  const practise = async () => {
    drawn.push(await lookInto(page, `[document.title, document.links.length, ${count}]`));
  };
  const look = `globalThis.looked = [document.title, document.links.length, ${count}]`;

  await rehearse(page, { look, practise }, AbortSignal.abort());
  expect([drawn, await lookInto(page, 'globalThis.looked')]).toEqual([[], undefined]);

  await rehearse(page, { look, practise }, new AbortController().signal);
  expect(drawn).toEqual([['Sample', 13, expect.any(Number)]]);
  expect(await lookInto(page, 'globalThis.looked')).toEqual(drawn[0]);
  expect(await lookInto<number>(page, count)).toBeLessThanOrEqual(before);
});
