/**
 * Prepares a runner while the toolbox is laid out, so that V8 compiles what a first call needs and the result can be kept
 * beside the sources, for runners that start without a snapshot.
 */
import { join } from 'node:path';
import { prepare } from './prepare.ts';

export async function compileAhead(toolbox: string): Promise<void> {
  const { playwright } = await prepare(join(toolbox, 'playwright-core'));
  playwright.keepCompiledCode();
}
