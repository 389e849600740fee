/** The key of a session: what the sign-in page tries, and what a tab remembers until it is closed. */
import { Browserd, BrowserdError } from '@browserd/sdk';

export type Role = 'admin' | 'member';
export interface Signed {
  key: string;
  role: Role;
}

const storageKey = 'browserd.session';

export const clientFor = (key: string, fetch?: typeof globalThis.fetch): Browserd =>
  new Browserd({ baseUrl: location.origin, apiKey: key, ...(fetch && { fetch }) });

/** Finds out whether a key is valid, and its role: only an admin may list keys. */
export async function tryKey(key: string): Promise<Signed> {
  try {
    await clientFor(key).keys.list({ limit: 1 }).page();
    return { key, role: 'admin' };
  } catch (error) {
    if (error instanceof BrowserdError && error.status === 403) return { key, role: 'member' };
    throw error;
  }
}

export function rememberedKey(): Signed | undefined {
  try {
    const { key, role } = JSON.parse(sessionStorage.getItem(storageKey) ?? '') as Signed;
    return typeof key === 'string' && (role === 'admin' || role === 'member') ? { key, role } : undefined;
  } catch {
    return undefined;
  }
}

export const rememberKey = (signed: Signed): void =>
  sessionStorage.setItem(storageKey, JSON.stringify(signed));

export const forgetKey = (): void => sessionStorage.removeItem(storageKey);
