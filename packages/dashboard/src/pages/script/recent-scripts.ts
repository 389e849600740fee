/** The last scripts of this tab, newest first; removed with the tab, like the key. */
export interface RecentScript {
  code: string;
  args: string;
  at: number;
}

const storageKey = 'browserd.scripts';
const most = 12;
const mostChars = 50_000;

export function recentScripts(): RecentScript[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept.filter(isScript) : [];
  } catch {
    return [];
  }
}

export function remember(script: RecentScript): RecentScript[] {
  const others = recentScripts().filter(({ code, args }) => code !== script.code || args !== script.args);
  const kept = [script, ...others].slice(0, most);
  if (script.code.length + script.args.length > mostChars) return others;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // full storage is no reason not to run it
  }
  return kept;
}

const isScript = (value: unknown): value is RecentScript => {
  const { code, args, at } = (value ?? {}) as Record<string, unknown>;
  return typeof code === 'string' && typeof args === 'string' && typeof at === 'number';
};

/** The first line that is not empty. */
export const titleOf = ({ code }: RecentScript): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
    ?.slice(0, 80) ?? '(empty)';
