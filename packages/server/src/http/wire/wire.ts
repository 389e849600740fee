/** The server below the routes: connections, errors, the request log, what happens when it stops. */
export type { App } from './app.ts';
export { createClientErrorHandler, refuseUpgrade } from './broken-request.ts';
export { BrowserCalls } from './browser-calls.ts';
export { shuttingDown, Traffic } from './drain.ts';
export { askForBody, isWaiting } from './expect-continue.ts';
export { hangUp } from './hang-up.ts';
export { codeHeader, meantFor, notePassedOn } from './passed-on.ts';
export { placesOf } from './places.ts';
export { createErrorReply, errorBody, toApiError } from './reply-error.ts';
export { requestIdOf } from './request-id.ts';
export { type HttpObserver, logRequests } from './request-log.ts';
export { hasBody, limitReadingOf, limitReadingTime, limitSendingTime } from './sending-time.ts';
export { createInnerServer, createNodeServer } from './server.ts';
export { requestCostMs, strangers } from './strangers.ts';
