/** The saved profiles of a project: browsers that begin signed in, and the one that saves into a profile. */
import type * as types from './generated/schemas.ts';
import {
  type Api,
  type Body,
  type CallOptions,
  type Listing,
  listing,
  type OnceOptions,
  type Query,
} from './http/http.ts';

export type ProfileFilter = Omit<Query<'ProfileController_list'>, 'cursor'>;

/** Of calls that open a browser, or visit a page. */
export interface ProfileWaitOptions extends CallOptions {
  /** Seconds to wait while there is no room, or while another browser saves into the profile. */
  waitSeconds?: number;
}

/** The service's own limit for a visit, where the caller sets none. */
const visitMs = 30_000;

export class Profiles {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Newest first. */
  list(filter: ProfileFilter = {}, options: CallOptions = {}): Listing<types.Profile> {
    return listing(this.#api, 'ProfileController_list', { query: filter }, options);
  }

  /** Empty, with the state of a browser (`browserId`), or with Playwright's `storageState`. */
  create(body: Body<'ProfileController_create'> = {}, options: OnceOptions = {}): Promise<types.Profile> {
    return this.#api.json('ProfileController_create', { body }, options);
  }

  get(profileId: string, options: CallOptions = {}): Promise<types.Profile> {
    return this.#api.json('ProfileController_get', { path: { profileId } }, options);
  }

  update(
    profileId: string,
    body: Body<'ProfileController_update'>,
    options: CallOptions = {},
  ): Promise<types.Profile> {
    return this.#api.json('ProfileController_update', { path: { profileId }, body }, options);
  }

  /** With all its versions; one that a browser saves into is refused. */
  delete(profileId: string, options: OnceOptions = {}): Promise<types.DeletedProfile> {
    return this.#api.json('ProfileController_delete', { path: { profileId } }, options);
  }

  /** Cookies and local storage in the clear, for Playwright's `storageState`. Needs a key of the role admin. */
  export(profileId: string, options: CallOptions = {}): Promise<types.StorageState> {
    return this.#api.json('ProfileController_export', { path: { profileId } }, options);
  }

  /** Those that are kept, newest first. */
  versions(profileId: string, options: CallOptions = {}): Listing<types.ProfileVersion> {
    return listing(this.#api, 'ProfileController_versions', { path: { profileId } }, options);
  }

  /** Makes the contents of an earlier version the newest one. */
  restore(profileId: string, version: number, options: OnceOptions = {}): Promise<types.Profile> {
    return this.#api.json('ProfileController_restore', { path: { profileId }, body: { version } }, options);
  }

  /** Visits the page of its `check` and looks whether it is signed in. */
  check(
    profileId: string,
    body: Body<'ProfileController_check'> = {},
    { waitSeconds, ...options }: ProfileWaitOptions = {},
  ): Promise<types.CheckedProfile> {
    const call = { path: { profileId }, body, ...waiting(waitSeconds, body.timeoutMs ?? visitMs) };
    return this.#api.json('ProfileController_check', call, options);
  }

  /** Opens a browser for a person, whose state is saved into the profile when it is handed back. */
  signIn(
    profileId: string,
    body: Body<'ProfileController_signIn'> = {},
    { waitSeconds, ...options }: ProfileWaitOptions = {},
  ): Promise<types.SignInBrowser> {
    const call = { path: { profileId }, body, ...waiting(waitSeconds, 0) };
    return this.#api.json('ProfileController_signIn', call, options);
  }
}

const waiting = (waitSeconds: number | undefined, workMs: number) => ({
  takesMs: workMs + (waitSeconds ?? 0) * 1000,
  ...(waitSeconds && { headers: { prefer: `wait=${waitSeconds}` } }),
});
