/** The address a picture will have once it is looked at: many pages put a placeholder there until then. */
import { absolute, attributeOf } from './pristine.ts';

const lazyNames = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-url', 'data-hi-res-src'];
const lazySets = ['data-srcset', 'data-lazy-srcset', 'srcset'];
const placeholder =
  /^data:|(?:^|[/_.-])(?:placeholder|blank|spacer|transparent|pixel|1x1|grey|lazy)[^/]*\.(?:gif|png|svg|jpe?g)/i;

/** The largest of a `srcset`. */
function largest(set: string | null): string {
  const sizes = [...(set ?? '').matchAll(/(\S*[^,\s])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)];
  const best = sizes.sort((a, b) => Number(b[2] ?? 1) - Number(a[2] ?? 1))[0];
  return best?.[1] ?? '';
}

export function pictureOf(image: Element): string {
  const plain = attributeOf(image, 'src') ?? '';
  const given = plain && !placeholder.test(plain) ? plain : '';
  const lazy = lazyNames
    .map((name) => attributeOf(image, name))
    .find((value) => value && !placeholder.test(value));
  const set = lazySets.map((name) => largest(attributeOf(image, name))).find(Boolean);
  const url = absolute(given || lazy || set || '');
  return /^https?:/.test(url) ? url : '';
}

/** Counts a visit instead of showing something. */
export const isBeacon = (image: Element): boolean =>
  ['width', 'height'].some((side) => /^[012](?:px)?$/.test(attributeOf(image, side) ?? ''));
