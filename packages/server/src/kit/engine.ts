/** Which Chromium a browser runs: the headless shell, or the whole browser with everything that pages can look for. */
export type Engine = 'shell' | 'full';
