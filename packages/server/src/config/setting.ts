/** One setting: how it is read, what it is when absent, and what to tell the operator. */
import type { z } from 'zod';

export interface Setting<T> {
  read: z.ZodType<T, string>;
  /** The text used when the variable is absent; null leaves the setting unset. */
  fallback: string | null;
  /** How the documentation names a default that depends on the machine. */
  fallbackNote?: string;
  about: string;
}

export const setting = <T, F extends string | null>(
  read: z.ZodType<T, string>,
  fallback: F,
  about: string,
  fallbackNote?: string,
): Setting<F extends null ? T | null : T> =>
  ({ read, fallback, about, fallbackNote }) as Setting<F extends null ? T | null : T>;
