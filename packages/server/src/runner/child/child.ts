/**
 * Inside the box: Playwright, and the script it runs. Started ahead of time it waits for `attach`; then it belongs to
 * one browser until it ends, and runs one call at a time. This is how a runner starts where it has no snapshot.
 */
import { prepare } from './prepare.ts';

const [playwrightFolder = ''] = process.argv.slice(2);
const { start } = await prepare(playwrightFolder);
start(playwrightFolder);
