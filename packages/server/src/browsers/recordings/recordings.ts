/** Recordings of browsers: who starts and ends them, the pictures on disk, the video that is made of them. */
export { Recordings } from './node-recordings.ts';
export { type RecordingOrders, recordingOrders } from './orders.ts';
export { createVideoMaker } from './video-maker.ts';
