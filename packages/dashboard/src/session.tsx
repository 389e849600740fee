import { Browserd, BrowserdError } from '@browserd/sdk';
import { QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Line } from './connection.ts';
import { answerMs, OtherTabs } from './other-tabs.ts';
import { newQueryClient } from './query.ts';
import { SignIn } from './shell/sign-in.tsx';

/**
 * Who is here. The key lies in the session storage of a tab and nowhere else: it is gone with the last tab.
 *
 *   no key ── sign-in, tried by a real call ──> key and role ── sign-out, or a 401 anywhere ──> no key, and the reason
 */
export type Role = 'admin' | 'member';
export interface Signed {
  key: string;
  role: Role;
}
interface Session {
  client: Browserd;
  role: Role;
  /** Enough of the key to tell it from another. */
  keyHint: string;
  line: Line;
  signOut(): void;
}

const storageKey = 'browserd.session';
const Context = createContext<Session | undefined>(undefined);

export const useSession = (): Session => {
  const session = use(Context);
  if (!session) throw new Error('useSession is for what stands inside SessionProvider');
  return session;
};
export const useClient = (): Browserd => useSession().client;

const clientFor = (key: string, fetch?: typeof globalThis.fetch): Browserd =>
  new Browserd({ baseUrl: location.origin, apiKey: key, ...(fetch && { fetch }) });

/** Tells a good key from a bad one, and its role: only an admin may list keys. */
export async function tryKey(key: string): Promise<Signed> {
  try {
    await clientFor(key).keys.list({ limit: 1 }).page();
    return { key, role: 'admin' };
  } catch (error) {
    if (error instanceof BrowserdError && error.status === 403) return { key, role: 'member' };
    throw error;
  }
}

function remembered(): Signed | undefined {
  try {
    const { key, role } = JSON.parse(sessionStorage.getItem(storageKey) ?? '') as Signed;
    return typeof key === 'string' && (role === 'admin' || role === 'member') ? { key, role } : undefined;
  } catch {
    return undefined;
  }
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [signed, setSigned] = useState(remembered);
  const [reason, setReason] = useState<string>();
  const signIn = useCallback((next: Signed): void => {
    sessionStorage.setItem(storageKey, JSON.stringify(next));
    setReason(undefined);
    setSigned(next);
  }, []);
  const leave = useCallback((why?: string): void => {
    sessionStorage.removeItem(storageKey);
    setReason(why);
    setSigned(undefined);
  }, []);
  const { asking, leaveAll } = useOtherTabs(signed, signIn, leave);
  if (!signed && asking) return null;
  if (!signed) return <SignIn reason={reason} onSigned={signIn} />;
  return (
    <SignedIn key={signed.key} signed={signed} leave={leave} leaveAll={leaveAll}>
      {children}
    </SignedIn>
  );
}

function useOtherTabs(signed: Signed | undefined, onKey: (signed: Signed) => void, leave: () => void) {
  const [asking, setAsking] = useState(signed === undefined);
  const tabs = useRef<OtherTabs>(undefined);
  useEffect(() => {
    const others = new OtherTabs(signed, { onKey, onLeave: () => leave() });
    tabs.current = others;
    return () => others.close();
  }, [signed, onKey, leave]);
  useEffect(() => {
    if (!asking) return;
    tabs.current?.ask();
    const timer = setTimeout(() => setAsking(false), answerMs);
    return () => clearTimeout(timer);
  }, [asking]);
  const leaveAll = useCallback(() => {
    tabs.current?.leave();
    leave();
  }, [leave]);
  return { asking, leaveAll };
}

const refused =
  'The service no longer accepts your key: it was revoked or has expired. Sign in with another.';

interface SignedInProps {
  signed: Signed;
  leave(why?: string): void;
  leaveAll(): void;
  children: ReactNode;
}

function SignedIn({ signed, leave, leaveAll, children }: SignedInProps) {
  const queries = useMemo(newQueryClient, []);
  const line = useMemo(
    () => new Line({ onRefused: () => leave(refused), onBack: () => void queries.invalidateQueries() }),
    [leave, queries],
  );
  useEffect(() => line.watch(), [line]);
  useEffect(() => () => queries.clear(), [queries]);
  const session = useMemo<Session>(
    () => ({
      client: clientFor(signed.key, line.fetch),
      role: signed.role,
      keyHint: `${signed.key.slice(0, 6)}…${signed.key.slice(-4)}`,
      line,
      signOut: leaveAll,
    }),
    [signed, line, leaveAll],
  );
  return (
    <QueryClientProvider client={queries}>
      <Context value={session}>{children}</Context>
    </QueryClientProvider>
  );
}
