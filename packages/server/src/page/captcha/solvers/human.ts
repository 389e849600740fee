/** A person is asked in, by a signed address of the viewer, and the page is watched until it accepts. */
import type { Sighting } from '../sight.ts';
import type { Solver } from '../task.ts';

export interface Invitation {
  url: string;
  expiresAt: string;
}

/** Asks a person to come, by an event. */
export type Invite = (sighting: Sighting) => Promise<Invitation>;

export const humanSolver = (invite: Invite | undefined): Solver => ({
  name: 'human',
  limitMs: 600_000,
  refusal: ({ invisible, blocking }) => {
    if (!invite) return 'there is no live view to ask a person into';
    return invisible && !blocking ? 'there is nothing of it that a person could see' : undefined;
  },
  async solve(task, signal) {
    await invite?.(task.sighting);
    const progress = await task.watch(signal, () => false);
    // A person that answers a picture sends the form off: that the next page asks no more is its acceptance.
    if (progress === 'accepted' || task.sighting.typed) return { outcome: 'solved' };
    return task.afterGone();
  },
});
