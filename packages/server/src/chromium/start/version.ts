/** Which release of Chromium a binary is, as it says itself: a profile of a newer one must not be opened by an older one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const patienceMs = 30_000;

/** Undefined when it does not say. */
export async function majorOf(binary: string): Promise<number | undefined> {
  const options = { timeout: patienceMs, env: { HOME: '/', LANG: 'C.UTF-8', PATH: '/usr/bin:/bin' } };
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], options);
    const [, major] = /\b(\d+)\.\d+\.\d+/.exec(stdout) ?? [];
    return major === undefined ? undefined : Number(major);
  } catch {
    return undefined;
  }
}
