/** Messages: states, remarks, errors, empty lists, loading, toasts. */
export { Badge, type Tone } from './badge.tsx';
export { Empty } from './empty.tsx';
export { ErrorNote, errorText } from './error-note.tsx';
export { Note } from './note.tsx';
export { Skeleton } from './skeleton.tsx';
export { ToastProvider, useToast } from './toast.tsx';
