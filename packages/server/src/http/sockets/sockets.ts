/** WebSockets: how a request becomes one, the CDP socket, the viewer's socket, how each ends. */
export { type CdpSocketParts, openCdpSocket } from './cdp-socket.ts';
export { closeReason, closingsTable } from './close-codes.ts';
export { Sockets } from './open-sockets.ts';
export { collectSockets, routeUpgrades, takeSocket, wantsUpgrade } from './upgrade.ts';
export { openViewSocket, type ViewSocketParts } from './view-socket.ts';
