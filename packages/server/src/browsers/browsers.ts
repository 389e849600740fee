/** Browsers: the main noun of the service. What other rooms use of them; how they work is in the rooms inside. */
export { type Cdp, type CdpClient, CdpError, clientProtocol } from '../chromium/chromium.ts';
export type { Handoffs } from './browsers-list.ts';
export { type Browsers, BrowsersOnNode } from './browsers-on-node.ts';
export { closeMany } from './close-many.ts';
export { uploadRefusal } from './disk/disk.ts';
export type { Downloads } from './downloads/downloads.ts';
export {
  FileTooLarge,
  type Guest,
  type GuestFiles,
  Guests,
  guestCrashed,
  type Rehearsal,
} from './guests/guests.ts';
export { ElsewhereError } from './life/life.ts';
export {
  type ExitTroubles,
  emulationOf,
  gatherTroubles,
  type NavigationVerdict,
  navigationVerdict,
  RefusalEvents,
  type Tab,
  trueLine,
  type WarmBrowsers,
} from './live/live.ts';
export { networkBuffers } from './network/network.ts';
export { openBrowsers } from './open-browsers.ts';
export type { OwnerDialogs, OwnerNetwork, OwnerPermissions, OwnerState } from './owner/owner.ts';
export { refOf } from './profile/profile.ts';
export { type Capacity, nextStepOf, type Slot, statuses } from './record/record.ts';
export type { Cut, CutStart, RecordingCuts, RecordingOrders } from './recordings/recordings.ts';
export type { HandoffEnd, HandoffSoFar, Running } from './running/running.ts';
