/**
 * Whether a saved profile is signed in: its page is visited as a quick action with the profile would. A page that cannot be
 * seen says nothing either way.
 */
import { ApiError } from '../errors.ts';
import type { CheckedProfile, CheckProfile } from './profile-schema.ts';
import { type QuickScrape, type QuickScraped, quickScrapeSchema } from './schema.ts';

/** One that asks, and may hang up. */
interface Caller {
  projectId: string;
  gone: AbortSignal;
  waitMs?: number;
}

interface Scraper {
  scrape(caller: Caller, request: QuickScrape): Promise<QuickScraped>;
}

export interface SignInCheck {
  url: string;
  selector?: string;
  urlPattern?: string;
}

const isAny = 'found';
/** What the caller, not the page, has to mend. */
const callersOwn = ['CAPACITY_EXHAUSTED', 'VALIDATION_FAILED', 'POLICY_NOT_ALLOWED', 'PROFILE_NOT_FOUND'];

const samePlace = (one: string, other: string): boolean => {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  return a?.origin === b?.origin && a?.pathname.replace(/\/$/, '') === b?.pathname.replace(/\/$/, '');
};

export function verdict(
  check: SignInCheck,
  { finalUrl, statusCode, data }: Pick<QuickScraped, 'finalUrl' | 'statusCode' | 'data'>,
): CheckedProfile['state'] {
  if (statusCode !== null && statusCode >= 500) return 'unknown';
  const { url, selector, urlPattern } = check;
  if (selector === undefined && urlPattern === undefined)
    return samePlace(url, finalUrl) && statusCode !== 401 && statusCode !== 403 ? 'signed_in' : 'signed_out';
  const matches = selector === undefined || ((data?.[isAny] as unknown[] | undefined) ?? []).length > 0;
  const isThere = urlPattern === undefined || new URLPattern(urlPattern).test(finalUrl);
  return matches && isThere ? 'signed_in' : 'signed_out';
}

export async function checkSignIn(
  quick: Scraper,
  caller: Caller,
  profileId: string,
  check: SignInCheck,
  { policy, proxy, timeoutMs }: Pick<CheckProfile, 'policy' | 'proxy' | 'timeoutMs'>,
): Promise<Omit<CheckedProfile, 'checkedAt' | 'signIn'>> {
  const { url, selector } = check;
  const extract = selector === undefined ? undefined : { [isAny]: { selector, all: true } };
  const visit = { url, profile: { id: profileId }, extract, maxChars: 1, format: 'text', timeoutMs };
  try {
    const seen = await quick.scrape(caller, { ...quickScrapeSchema.parse(visit), policy, proxy });
    return { state: verdict(check, seen), finalUrl: seen.finalUrl, statusCode: seen.statusCode };
  } catch (error) {
    if (!(error instanceof ApiError) || callersOwn.includes(error.code) || caller.gone.aborted) throw error;
    return { state: 'unknown', reason: error.message };
  }
}
