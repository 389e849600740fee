import { useState } from 'react';

/** Light or dark as the system says, until a person says otherwise. */
type Theme = 'light' | 'dark';
const storageKey = 'browserd.theme';

const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
const chosen = (): Theme | undefined => {
  const theme = localStorage.getItem(storageKey);
  return theme === 'light' || theme === 'dark' ? theme : undefined;
};

/** Before the first paint, so that nothing flashes. */
export function applyTheme(): void {
  const theme = chosen();
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

export function useTheme(): { theme: Theme; toggle(): void } {
  const [theme, setTheme] = useState<Theme>(() => chosen() ?? system());
  const toggle = (): void => {
    const next = theme === 'dark' ? 'light' : 'dark';
    // back at what the system says: follow it again
    if (next === system()) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, next);
    applyTheme();
    setTheme(next);
  };
  return { theme, toggle };
}
