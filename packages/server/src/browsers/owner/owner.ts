/** What the owner of a browser asks of it besides its life: answers to dialogs, permissions, the log of its requests. */
export { type OwnerDialogs, ownerDialogs } from './dialogs.ts';
export { type OwnerNetwork, type OwnerNetworkParts, ownerNetwork } from './network.ts';
export { type OwnerPermissions, PermissionKeeper } from './permissions.ts';
export { type OwnerState, ownerState } from './state.ts';
