/** A profile as Playwright's `storageState`, in both directions. Its IndexedDB part is not taken, and not given. */
import type { ProfileCookie, ProfileData } from './archive/archive.ts';
import type { ImportedState, StorageState } from './schema.ts';

/** Playwright writes -1 for a session cookie. */
const cookieOf = ({ expires, ...cookie }: ImportedState['cookies'][number]): ProfileCookie => ({
  ...cookie,
  ...(expires !== undefined && expires > 0 && { expires }),
});

export const fromStorageState = ({ cookies, origins }: ImportedState): ProfileData => ({
  state: {
    cookies: cookies.map(cookieOf),
    permissions: { permissions: {}, origins: {} },
    storageIsNewer: true,
  },
  storage: origins
    .filter(({ localStorage }) => localStorage.length > 0)
    .map(({ origin, localStorage }) => ({
      origin: new URL(origin).origin,
      entries: JSON.stringify(localStorage.map(({ name, value }) => [name, value])),
    })),
});

export const toStorageState = ({ state, storage }: ProfileData): StorageState => ({
  cookies: state.cookies.map(
    ({ name, value, domain = '', path = '/', expires, httpOnly, secure, sameSite }) => ({
      name,
      value,
      domain,
      path,
      expires: expires ?? -1,
      httpOnly: httpOnly ?? false,
      secure: secure ?? false,
      sameSite: sameSite ?? 'Lax',
    }),
  ),
  origins: storage.map(({ origin, entries }) => ({
    origin,
    localStorage: (JSON.parse(entries) as [string, string][]).map(([name, value]) => ({ name, value })),
  })),
});
