import type { Browser } from '@browserd/sdk';

const look = 'popup,width=1320,height=900';

/** The live page alone, in a window that stays when this page goes. */
export async function openLiveWindow(browser: Browser): Promise<string> {
  const { url } = await browser.live({ mode: 'control' });
  const opened = window.open(url, `live-${browser.id}`, look);
  if (!opened)
    throw new Error('Your browser did not let the window open. Allow windows of this site, and try again.');
  forgetKey(opened);
  return 'The live view is open in a window of its own';
}

/** A window that is opened gets a copy of our session storage, with the key, and would keep it when we sign out. */
function forgetKey(opened: Window): void {
  try {
    opened.sessionStorage.clear();
  } catch {
    // it was open already, at an address of another origin, where no copy of ours is
  }
}
