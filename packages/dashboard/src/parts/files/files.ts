/** Bytes as files: saved, or shown as a picture. */
export { Picture } from './picture.tsx';
export { saveBlob } from './save-blob.ts';
export { SaveButton } from './save-button.tsx';
