/** The trace and the bundle of a run, saved where the caller said. A run that went well is not failed by one that is missing. */
import type { api, Browser } from '@browserd/sdk';
import type { Call } from '../../call/call.ts';
import { explain } from '../../failure.ts';
import { writeWhole } from '../../whole-file.ts';

interface Wanted {
  trace?: string;
  bundle?: string;
}

export async function saveKept(
  call: Call<Wanted>,
  browser: Browser,
  { trace, bundle }: Pick<api.ScriptExecution, 'trace' | 'bundle'>,
): Promise<void> {
  const { options } = call;
  if (options.trace !== undefined && trace) await saveOne(call, browser, options.trace, 'trace', trace);
  if (options.bundle !== undefined && bundle) await saveOne(call, browser, options.bundle, 'bundle', bundle);
}

async function saveOne(
  { out, signal }: Call,
  browser: Browser,
  path: string,
  what: string,
  { fileId, omitted }: NonNullable<api.ScriptExecution['trace']>,
): Promise<void> {
  if (!fileId) return out.warn(`There is no ${what}: ${omitted}`);
  try {
    const content = await browser.files.content(fileId, { signal });
    await writeWhole(path, [await content.bytes()], { replace: true, follow: true });
    out.note(`${path} is saved`);
  } catch (error) {
    out.warn(
      `The ${what} is not saved: ${explain(error)[0]} Get it with: browserd files download ${browser.id} ${fileId}`,
    );
  }
}
