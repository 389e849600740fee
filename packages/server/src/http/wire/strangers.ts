/**
 * Those who have shown no key share one project's time of the loop, whatever they ask and however many they are: what they
 * send costs reading and answering, too, when it is refused.
 */
import { shareOf } from '../../kit/loop-share.ts';

export const strangers = shareOf('strangers');

/** Loop time of a usual request, as measured. */
export const requestCostMs = 0.5;
