/** Shown to member keys in place of a page that needs an admin key. */
import { Empty } from '../parts/notices/notices.ts';
import { useSession } from './session-context.ts';

export function AdminsOnly({ what }: { what: string }) {
  const { keyHint } = useSession();
  return (
    <Empty icon="keys" title={`${what} need an admin key`}>
      {`You’re signed in with the member key ${keyHint}, which can only use browsers. Sign in with an admin key to see this page.`}
    </Empty>
  );
}
