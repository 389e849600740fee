/** The protocol between the service and a runner's child: frames, messages, byte streams. */
export {
  bytesFrames,
  controlKinds,
  descriptors,
  FrameReader,
  frame,
  limits,
  messageFrame,
  WireError,
} from './framing.ts';
export type {
  ChildErrorCode,
  DoneMessage,
  FilesAsked,
  FromChild,
  LogLevel,
  PlaywrightDetails,
  RunMessage,
  ScriptFailure,
  ToChild,
  TraceAsked,
} from './messages.ts';
export { type StreamPurpose, Streams } from './streams.ts';
export { type RecordKind, recordHead, recordKinds, traceNames } from './trace-records.ts';
