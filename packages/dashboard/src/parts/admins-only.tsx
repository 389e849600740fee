import { useSession } from '../session.tsx';
import { Empty } from './empty.tsx';

/** For keys of the role member: what they miss here, and who has it. */
export function AdminsOnly({ what }: { what: string }) {
  const { keyHint } = useSession();
  return (
    <Empty icon="keys" title={`${what} are for admin keys`}>
      {`You are signed in with the member key ${keyHint}, which uses browsers and manages nothing. Sign in with an admin key to see this page.`}
    </Empty>
  );
}
