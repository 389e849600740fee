/** What one check of the machine found: good, worth knowing, or a problem; for the latter two with a remedy. */
export interface Finding {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  detail: string;
  fix?: string;
}

export const ok = (name: string, detail: string): Finding => ({ name, state: 'ok', detail });
export const warn = (name: string, detail: string, fix: string): Finding => ({
  name,
  state: 'warn',
  detail,
  fix,
});
export const fail = (name: string, detail: string, fix: string): Finding => ({
  name,
  state: 'fail',
  detail,
  fix,
});

export const mebibytes = (bytes: number): string =>
  bytes < 10 * 1024 ** 3 ? `${Math.floor(bytes / 1024 ** 2)} MiB` : `${Math.floor(bytes / 1024 ** 3)} GiB`;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
