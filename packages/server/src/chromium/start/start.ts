/** How a Chromium comes to be: where it lies, with which flags and in which box it is started, and how it is ended. */
export { boxedExchange, boxedProfileDir } from './box.ts';
export { chooseEngines, type Engines, findEngines, NoChromiumError } from './engines.ts';
export { type Binary, findChromium } from './find.ts';
export { type Chromium, launchChromium } from './launch.ts';
export { endRenderer, isRenderer } from './renderers.ts';
export { majorOf } from './version.ts';
