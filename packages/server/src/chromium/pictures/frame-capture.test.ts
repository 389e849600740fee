import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Cdp } from '../pipe/cdp.ts';
import { engines, launchRig } from '../pipe/mux.fixture.ts';
import { openEncoder } from './encoder.ts';
import { captureFrames } from './frame-capture.ts';

/** Its first tab, with a page of one colour and eyes on it. */
async function watchTab(cdp: Cdp) {
  const { targetInfos } = await cdp.send('Target.getTargets');
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  await cdp.send('Page.enable', undefined, { sessionId });
  const pictures: Buffer[] = [];
  const listeners = new Set<() => void>();
  const frames = captureFrames({
    cdp,
    sessionId,
    take: async (jpeg) => {
      pictures.push(jpeg);
      for (const listener of listeners) listener();
    },
  });
  for (const event of ['Page.frameNavigated', 'Inspector.targetCrashed'] as const)
    cdp.on(event, () => frames.nudge());
  return {
    sessionId,
    pictures,
    frames,
    go: (colour: string) =>
      cdp.send('Page.navigate', { url: `data:text/html,<body style="background:${colour}">` }, { sessionId }),
    paint: (colour: string) =>
      cdp.send(
        'Runtime.evaluate',
        { expression: `document.body.style.background = '${colour}'` },
        { sessionId },
      ),
    /** A picture that is not like this one. */
    otherThan: (last: Buffer | undefined) =>
      new Promise<Buffer>((resolve) => {
        const look = (): void => {
          const latest = pictures.at(-1);
          if (!latest || (last && latest.length === last.length && latest.equals(last))) return;
          listeners.delete(look);
          resolve(latest);
        };
        listeners.add(look);
        look();
      }),
  };
}

/** Returns when no more come; if they never end, the time limit of the test does. */
async function untilStill(pictures: Buffer[]): Promise<void> {
  for (let count = -1; count !== pictures.length; await sleep(1500)) count = pictures.length;
}

/** At the same time, each with a Chromium of its own: most of it is waiting for pictures that do not come. */
test.concurrent.each(engines)(
  'pictures of a tab (%s) come when something changed, and not while it stands still, whatever happened before',
  async (engine) => {
    await using rig = await launchRig(engine);
    const { cdp } = rig.chromium;
    const tab = await watchTab(cdp);
    await tab.go('red');
    await untilStill(tab.pictures);
    const red = tab.pictures.at(-1);
    await tab.paint('lime');
    const lime = await tab.otherThan(red);
    expect(lime.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));

    await untilStill(tab.pictures);
    cdp.send('Page.crash', undefined, { sessionId: tab.sessionId }).catch(() => undefined);
    await untilStill(tab.pictures);
    const crashed = tab.pictures.at(-1);
    await tab.go('blue');
    await tab.otherThan(crashed);
    tab.frames.stop();
  },
);

test.concurrent('pictures of any size become frames of one size, and one that is broken shows the one before', async () => {
  await using rig = await launchRig();
  const { cdp } = rig.chromium;
  const tab = await watchTab(cdp);
  const jpeg = await tab.otherThan(undefined);
  tab.frames.stop();
  const encoder = await openEncoder({ cdp, sessionId: tab.sessionId }, { width: 320, height: 240 });
  const pictures = [jpeg, undefined, Buffer.from('no picture'), jpeg];
  const encoded = await encoder.encode(
    pictures.map((picture, index) => ({ atMs: index * 100, key: index === 3, jpeg: picture })),
  );
  expect(encoded.map(({ atMs, key }) => [atMs, key])).toEqual([
    [0, true],
    [100, false],
    [200, false],
    [300, true],
  ]);
  for (const { data } of encoded) expect(data.length).toBeGreaterThan(0);
});
