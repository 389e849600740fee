/** A page is scrolled through, and at each screen what that brings is waited for, for a while. */
import { lookInto, type PageTarget, stagingProgram } from '../reach/reach.ts';
import { type Loading, until, type Waiting } from '../visit/visit.ts';

/** At one screen: a picture that never comes must not hold up everything. */
const screenMs = 3000;
/** A page that has brought what it fetched needs this long to show it. */
const stillMs = 60;
const lookEveryMs = 20;

export async function scrollThrough(
  page: PageTarget,
  mostScreens: number,
  loading: Loading,
  waiting: Waiting,
): Promise<void> {
  try {
    for (let screen = 0; screen < mostScreens; screen++) {
      await lookInto(page, stagingProgram.call('showScreen', screen), waiting.left());
      if (await atItsEnd(page, loading, waiting)) break;
    }
  } finally {
    await lookInto(page, stagingProgram.callLoaded('scrolledBack')).catch(() => undefined);
  }
}

/** Whether it is the last screen, once it has come to rest. */
async function atItsEnd(page: PageTarget, loading: Loading, waiting: Waiting): Promise<boolean> {
  const late = performance.now() + screenMs;
  for (;;) {
    await loading.nextEvent(lookEveryMs);
    await until(loading, waiting, () => true);
    const seen = await lookInto(page, stagingProgram.call('screen'), waiting.left());
    const rests = !loading.busy && !seen.waits && seen.stillFor >= stillMs;
    if (rests || performance.now() >= late) return seen.end;
  }
}
