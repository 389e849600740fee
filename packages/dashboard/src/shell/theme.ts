/** Light or dark: as the system is set, until a person chooses. */
import { useSyncExternalStore } from 'react';

type Theme = 'light' | 'dark';
const storageKey = 'browserd.theme';
const changed = 'browserd.theme-changed';
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

const system = (): Theme => (prefersDark.matches ? 'dark' : 'light');
const chosen = (): Theme | undefined => {
  const theme = localStorage.getItem(storageKey);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
};

/** Called before the first paint, so that nothing flashes. */
export function applyTheme(): void {
  const theme = chosen();
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function toggle(): void {
  const next = (chosen() ?? system()) === 'dark' ? 'light' : 'dark';
  // the same as the system: follow the system again
  if (next === system()) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, next);
  applyTheme();
  dispatchEvent(new Event(changed));
}

function subscribe(listener: () => void): () => void {
  prefersDark.addEventListener('change', listener);
  addEventListener(changed, listener);
  return () => {
    prefersDark.removeEventListener('change', listener);
    removeEventListener(changed, listener);
  };
}

export const useTheme = (): { theme: Theme; toggle(): void } => ({
  theme: useSyncExternalStore(subscribe, () => chosen() ?? system()),
  toggle,
});
