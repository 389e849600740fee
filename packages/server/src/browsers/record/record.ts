/**
 * What a browser's record is: its schema, its statuses, its settings, the slot it takes. Of Chromium it knows only how
 * permissions are set.
 */
export { Capacity, type Slot, type Ticket, ticketFor } from './capacity.ts';
export { refuseAboveCeiling } from './ceiling.ts';
export { changeStatus, eventOf, type Here, isElsewhere, take } from './changes.ts';
export { filesIn } from './checked-rules.ts';
export { deviceNamed, identityOf } from './devices.ts';
export type { Field } from './field.ts';
export { insist } from './insist.ts';
export { invalid } from './invalid.ts';
export { type BrowserStatus, isOccupying, nextStepOf, statuses } from './lifecycle.ts';
export { type NewRecordParts, newRecord } from './new-record.ts';
export {
  applyAll,
  applyPermissions,
  canonicalOrigin,
  canonicalPermissions,
  changed,
  changeOf,
  type PermissionChange,
  type Permissions,
} from './permissions.ts';
export {
  checkedPolicy,
  checkedProxy,
  type EmulatedName,
  type ExitName,
  emulatedNames,
  exitNames,
  givenColumns,
  givenSettings,
  type Settings,
  settingsIn,
  type TrustName,
  trustNames,
  viewportOf,
  withChanges,
} from './settings.ts';
export { checkedTrust, siteTrustOf, type WithIdentities, withIdentities } from './trust.ts';
export { permissionsIn, viewOf } from './view.ts';
