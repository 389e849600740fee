/** What a Chromium dials: plain requests, tunnels and WebSockets, each brought to its way or refused. */
export { Exit, type News } from './exit.ts';
export { forward } from './forward.ts';
export { isWebSocket } from './headers.ts';
export { KeptConnections } from './kept-connections.ts';
export { Traffic } from './traffic.ts';
export { tunnel } from './tunnel.ts';
export { webSocket } from './websocket.ts';
