/** The viewer alone, in a window that stays when this page is left. */
import type { Browser } from '@browserd/sdk';

const look = 'popup,width=1320,height=900';

export async function openViewerWindow(browser: Browser): Promise<string> {
  const { url } = await browser.live({ mode: 'control' });
  const opened = window.open(url, `live-${browser.id}`, look);
  if (!opened)
    throw new Error('Your browser did not let the window open. Allow windows of this site, and try again.');
  forgetKey(opened);
  return 'The live view is open in a window of its own';
}

/** A new window gets a copy of this tab's session storage, with the key, and would keep it after a sign-out. */
function forgetKey(opened: Window): void {
  try {
    opened.sessionStorage.clear();
  } catch {
    // the window was already open, at an address of another origin, which has no copy
  }
}
