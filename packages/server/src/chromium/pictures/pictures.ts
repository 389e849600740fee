/** Pictures of tabs as they change, and the encoder that makes a video of them. */
export { openEncoder, type Picture } from './encoder.ts';
export { captureFrames, type FrameCapture } from './frame-capture.ts';
