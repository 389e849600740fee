/** What everything below the session provider may use: the client with the key, its role, and the connection. */
import type { Browserd } from '@browserd/sdk';
import { createContext, use } from 'react';
import type { Connection } from './connection.ts';
import type { Role } from './key.ts';

export interface Session {
  client: Browserd;
  role: Role;
  /** Enough of the key to distinguish it from another. */
  keyHint: string;
  connection: Connection;
  signOut(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export const useSession = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession is for what stands inside SessionProvider');
  return session;
};
export const useClient = (): Browserd => useSession().client;
