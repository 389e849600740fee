/** A browser's exchange folders have other paths for a Chromium in a box than for the service. */
import { boxedExchange } from '../../chromium/chromium.ts';
import type { Exchange } from '../disk/disk.ts';
import type { LiveParts } from './live-parts.ts';

export const insideOf = (
  { isolation }: LiveParts,
  exchange: Exchange,
): Pick<Exchange, 'uploads' | 'downloads'> => (isolation.mode === 'strict' ? boxedExchange : exchange);
