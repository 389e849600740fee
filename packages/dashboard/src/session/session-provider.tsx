/**
 * The session of a tab. Its key lies in the session storage of the tab and nowhere else: it is gone with the last tab.
 *
 *   no key ── sign-in, tried by a real call ──> key and role ── sign-out, or a 401 anywhere ──> no key, and the reason
 */
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Connection } from './connection.ts';
import { clientFor, forgetKey, rememberedKey, rememberKey, type Signed } from './key.ts';
import { answerMs, OtherTabs } from './other-tabs.ts';
import { newQueryClient } from './query-client.ts';
import { type Session, SessionContext } from './session-context.ts';
import { SignIn } from './sign-in.tsx';

export function SessionProvider({ children }: { children: ReactNode }) {
  const [signed, setSigned] = useState(rememberedKey);
  const [reason, setReason] = useState<string>();
  const signIn = useCallback((next: Signed): void => {
    rememberKey(next);
    setReason(undefined);
    setSigned(next);
  }, []);
  const leave = useCallback((why?: string): void => {
    forgetKey();
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

const refused = 'Your key no longer works: it was revoked or has expired. Sign in with another key.';

interface SignedInProps {
  signed: Signed;
  leave(why?: string): void;
  leaveAll(): void;
  children: ReactNode;
}

function SignedIn({ signed, leave, leaveAll, children }: SignedInProps) {
  const queries = useMemo(newQueryClient, []);
  const connection = useMemo(
    () =>
      new Connection({
        onRefused: () => leave(refused),
        onBack: () => void queries.invalidateQueries(),
      }),
    [leave, queries],
  );
  useEffect(() => connection.watch(), [connection]);
  useEffect(() => () => queries.clear(), [queries]);
  const session = useMemo<Session>(
    () => ({
      client: clientFor(signed.key, connection.fetch),
      role: signed.role,
      keyHint: `${signed.key.slice(0, 6)}…${signed.key.slice(-4)}`,
      connection,
      signOut: leaveAll,
    }),
    [signed, connection, leaveAll],
  );
  return (
    <QueryClientProvider client={queries}>
      <SessionContext value={session}>{children}</SessionContext>
    </QueryClientProvider>
  );
}
