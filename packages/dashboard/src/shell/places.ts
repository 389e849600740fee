/** The entries of the navigation, and the key after `g` that opens each. */
import type { IconName } from '../parts/controls/controls.ts';

export interface Place {
  path: string;
  label: string;
  icon: IconName;
  letter: string;
}

export const places: readonly Place[] = [
  { path: '/app/browsers', label: 'Browsers', icon: 'browsers', letter: 'b' },
  { path: '/app/profiles', label: 'Profiles', icon: 'person', letter: 'p' },
  { path: '/app/script', label: 'Script', icon: 'script', letter: 's' },
  { path: '/app/quick', label: 'Quick', icon: 'quick', letter: 'q' },
  { path: '/app/jobs', label: 'Jobs', icon: 'jobs', letter: 'j' },
  { path: '/app/keys', label: 'Keys', icon: 'keys', letter: 'k' },
  { path: '/app/secrets', label: 'Secrets', icon: 'shield', letter: 'e' },
  { path: '/app/webhooks', label: 'Webhooks', icon: 'webhooks', letter: 'w' },
  { path: '/app/nodes', label: 'Nodes', icon: 'nodes', letter: 'n' },
  { path: '/app/health', label: 'Health', icon: 'health', letter: 'h' },
];
