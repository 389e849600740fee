/**
 * Runs a rehearsal while the toolbox is laid out, so that V8 compiles what a first call needs and the result can be
 * kept beside the sources. Every runner then starts from compiled code.
 */
import { join } from 'node:path';
import type { BrowserType } from 'playwright-core';
import { Files } from './files.ts';
import { load } from './load.ts';
import { rehearse } from './rehearsal.ts';

export async function compileAhead(toolbox: string): Promise<void> {
  const playwright = load(join(toolbox, 'playwright-core/index.js'), {});
  await rehearse((playwright.exports as { chromium: BrowserType }).chromium, toolbox, {
    files: new Files({ ask: () => Promise.reject(new Error('there is no service behind a rehearsal')) }),
    onDialogListening: () => undefined,
  });
  playwright.keepCompiledCode();
}
