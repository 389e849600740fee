/** What Chromium dials: plain requests, tunnels and WebSockets, each sent on its way or refused. */
export { Exit, type ExitObserver } from './exit.ts';
export { forward } from './forward.ts';
export { isWebSocket } from './headers.ts';
export { KeptConnections } from './kept-connections.ts';
export type { Outcome } from './outcomes.ts';
export { Traffic } from './traffic.ts';
export { tunnel } from './tunnel.ts';
export { webSocket } from './websocket.ts';
