import { spawn } from 'node:child_process';
import { platform } from 'node:os';

/** Starts the web browser that the person uses; false where there is none to start. */
export function openAddress(url: string): Promise<boolean> {
  const opener = platform() === 'darwin' ? 'open' : 'xdg-open';
  if (opener === 'xdg-open' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && !process.env.BROWSER)
    return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    // It hands the address over and ends; one that is still there after a moment has become the web browser.
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
