/** Programs of the service, run on this machine. */
export { install, serverFile, serverFileOf } from './node-for-server.ts';
export { runServerProgram } from './server-process.ts';
