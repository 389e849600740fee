/** Opens an address in the web browser of this machine; false if it has none. */
import { spawn } from 'node:child_process';
import { platform } from 'node:os';

export function openAddress(url: string): Promise<boolean> {
  const opener = platform() === 'darwin' ? 'open' : 'xdg-open';
  if (opener === 'xdg-open' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && !process.env.BROWSER)
    return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    // The opener passes the address on and ends; if it still runs after a moment, it has become the web browser.
    const stays = setTimeout(() => {
      child.unref();
      resolve(true);
    }, 2000);
    child.once('exit', (code) => {
      clearTimeout(stays);
      resolve(code === 0);
    });
  });
}
