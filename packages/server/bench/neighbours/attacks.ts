/** All attacks by name. */
import { callerAttacks } from './callers.ts';
import { pageAttacks } from './pages.ts';
import { strangerAttacks } from './strangers.ts';

export const attacks = { ...pageAttacks, ...callerAttacks, ...strangerAttacks };
