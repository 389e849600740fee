/** Recordings of browsers: how they start and end, the pictures on disk, the video that is made of them. */
export { type Cut, type CutStart, RecordingCuts } from './cuts.ts';
export { Recordings } from './node-recordings.ts';
export { type RecordingOrders, recordingOrders } from './orders.ts';
export { createVideoMaker } from './video-maker.ts';
