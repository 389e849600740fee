/** All attacks by name. */
import { answerAttacks } from './answers.ts';
import { bodyAttacks } from './bodies.ts';
import { callerAttacks } from './callers.ts';
import { pageAttacks } from './pages.ts';
import { receiverAttacks } from './receivers.ts';
import { socketAttacks } from './sockets.ts';
import { strangerAttacks } from './strangers.ts';

export const attacks = {
  ...pageAttacks,
  ...callerAttacks,
  ...socketAttacks,
  ...bodyAttacks,
  ...answerAttacks,
  ...receiverAttacks,
  ...strangerAttacks,
};
