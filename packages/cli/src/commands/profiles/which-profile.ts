/** A saved profile by its name or its id. */
import type { api } from '@browserd/sdk';
import type { Call } from '../../call/call.ts';
import { Failure } from '../../failure.ts';
import { profileRef } from '../../options/options.ts';
import { oneLine } from '../../output/output.ts';

export async function whichProfile({ client, signal }: Call, text: string): Promise<api.Profile> {
  const ref = profileRef(text);
  if ('id' in ref) return client.profiles.get(ref.id, { signal });
  const [found] = await client.profiles.list(ref, { signal }).all(1);
  if (found) return found;
  throw new Failure(`No profile is called "${oneLine(text)}". See: browserd profiles list`);
}
