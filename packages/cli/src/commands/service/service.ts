/** `serve` and `doctor`: the service on this machine. */
export { addDoctor } from './doctor.ts';
export { addServe } from './serve.ts';
