/** The door to Chromium: finding it, starting it in a box, speaking CDP with it over its pipe, taking its pictures. */
export { clientProtocol, mayBeSeen } from './filter/filter.ts';
export { captureFrames, type FrameCapture, openEncoder, type Picture } from './pictures/pictures.ts';
export {
  Cdp,
  type CdpClient,
  CdpError,
  type ClientOptions,
  type Credentials,
  challengeIn,
  heldRequestIn,
  openClient,
  readEntries,
  Tries,
  trueError,
} from './pipe/pipe.ts';
export {
  type Binary,
  boxedExchange,
  boxedProfileDir,
  type Chromium,
  chooseEngines,
  type Engines,
  endRenderer,
  findChromium,
  findEngines,
  isRenderer,
  launchChromium,
  majorOf,
  NoChromiumError,
} from './start/start.ts';
