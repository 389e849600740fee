/** Bytes as files: saved, shown as a picture, or opened as a trace. */
export { OpenTraceButton } from './open-trace.tsx';
export { Picture } from './picture.tsx';
export { saveBlob } from './save-blob.ts';
export { SaveButton } from './save-button.tsx';
