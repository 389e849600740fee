/** For a set-up that runs on an older Node than the pinned one, which has to be started for it. */
import { ensureBrowsers } from './lib/browsers.mjs';
import { program } from './lib/program.mjs';

await program(() => ensureBrowsers());
