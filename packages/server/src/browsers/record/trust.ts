/**
 * What a browser was told of its sites, checked and read. Certificates are read when they are given, so that what is wrong with
 * them is said then; what is kept beside each is what may be shown of it.
 */
import {
  type Authority,
  type Identity,
  PolicyError,
  readAuthorities,
  readIdentities,
  type SiteTrust,
} from '../../egress/egress.ts';
import { invalid } from './invalid.ts';
import type { CreateBrowser } from './schema.ts';
import { type HttpCredential, hostOf, originOf } from './trust-schema.ts';

export interface TlsSettings {
  trust?: Authority[];
  ignoreErrorsFor?: string[];
}

/** A create or a change whose certificates have been read. */
export type WithIdentities<Input> = Omit<Input, 'clientCertificates'> & {
  clientCertificates?: Identity[] | null | undefined;
};

/** Opening a key file takes a while, by intention of those who made it; it is done before anything else. */
export async function withIdentities<Input extends object>(
  input: Input & { clientCertificates?: CreateBrowser['clientCertificates'] | null },
): Promise<WithIdentities<Input>> {
  const { clientCertificates: given, ...rest } = input;
  if (given === undefined) return rest;
  if (given === null || given.length === 0) return { ...rest, clientCertificates: null };
  const entries = given.map((each) => ({ ...each, origin: originOf(each.origin) ?? each.origin }));
  try {
    return { ...rest, clientCertificates: await readIdentities(entries) };
  } catch (error) {
    throw named(error, 'clientCertificates');
  }
}

export function checkedCredentials(given: HttpCredential[] | null): HttpCredential[] | undefined {
  if (!given?.length) return undefined;
  return given.map((each) => ({ ...each, origin: originOf(each.origin) ?? each.origin }));
}

/** Only what is named; `undefined` takes all of it away. */
export function checkedTls(tls: CreateBrowser['tls'] | null): TlsSettings | undefined {
  if (!tls) return undefined;
  const { trust, ignoreErrorsFor } = tls;
  return {
    ...(trust && { trust: checkedTrust(trust) }),
    ...(ignoreErrorsFor && {
      ignoreErrorsFor: [...new Set(ignoreErrorsFor.map((host) => hostOf(host) ?? host))],
    }),
  };
}

export function checkedTrust(pems: readonly string[]): Authority[] {
  try {
    return readAuthorities(pems);
  } catch (error) {
    throw named(error, 'tls', 'trust');
  }
}

const named = (error: unknown, ...path: string[]): unknown =>
  error instanceof PolicyError ? invalid([...path, ...error.path], error.reason) : error;

/** Empty lists are not kept. */
export function mergedTls(
  before: TlsSettings | undefined,
  given: TlsSettings | undefined,
): TlsSettings | undefined {
  const lists = Object.entries({ ...before, ...given }).filter(([, list]) => list.length > 0);
  return given && lists.length > 0 ? Object.fromEntries(lists) : undefined;
}

/** As the exit of the browser takes it. */
export const siteTrustOf = ({
  tls,
  clientCertificates,
}: {
  tls?: TlsSettings | undefined;
  clientCertificates?: Identity[] | undefined;
}): SiteTrust => ({
  authorities: tls?.trust,
  identities: clientCertificates,
  unchecked: tls?.ignoreErrorsFor,
});
