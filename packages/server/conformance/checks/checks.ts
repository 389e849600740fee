/** All checks, by area. */
import type { Checks } from '../check.ts';
import { captures } from './captures.ts';
import { dialogs } from './dialogs.ts';
import { emulation } from './emulation.ts';
import { files } from './files.ts';
import { frames } from './frames.ts';
import { input } from './input.ts';
import { navigation } from './navigation.ts';
import { network } from './network.ts';
import { permissions } from './permissions.ts';
import { popups } from './popups.ts';
import { puppeteers } from './puppeteers.ts';
import { routing } from './routing.ts';
import { scripts } from './scripts.ts';
import { sessions } from './sessions.ts';
import { sockets } from './sockets.ts';
import { storage } from './storage.ts';
import { windows } from './windows.ts';

export const areas: Record<string, Checks> = {
  navigation,
  network,
  routing,
  sockets,
  popups,
  windows,
  scripts,
  dialogs,
  files,
  frames,
  storage,
  permissions,
  emulation,
  input,
  captures,
  sessions,
  puppeteers,
};
