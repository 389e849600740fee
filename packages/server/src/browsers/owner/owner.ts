/** What the owner of a browser asks of it besides its life: answers to dialogs, permissions. */
export { type OwnerDialogs, ownerDialogs } from './dialogs.ts';
export { type OwnerPermissions, PermissionKeeper } from './permissions.ts';
export { type OwnerState, ownerState } from './state.ts';
