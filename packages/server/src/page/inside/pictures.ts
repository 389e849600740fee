/** The address a picture will have once it is looked at: many pages put a placeholder there until then. */
import { absolute, allBelow, attributeOf, tagOf } from './pristine.ts';

const lazyNames = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-url', 'data-hi-res-src'];
const lazySets = ['data-srcset', 'data-lazy-srcset', 'srcset'];
const placeholder =
  /^data:|(?:^|[/_.-])(?:placeholder|blank|spacer|transparent|pixel|1x1|gr[ae]y|lazy|loading|loader|spinner)[^/]*\.(?:gif|png|svg|jpe?g)/i;

/** The largest of a `srcset`. */
function largest(set: string | null): string {
  const sizes = [...(set ?? '').matchAll(/(\S*[^,\s])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)];
  const best = sizes.sort((a, b) => Number(b[2] ?? 1) - Number(a[2] ?? 1))[0];
  return best?.[1] ?? '';
}

const isPicture = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp)(?:[?#]|$)/i;

/** In the sources beside an image that has no address of its own. */
const inSources = (image: Element): string =>
  image.parentElement && tagOf(image.parentElement) === 'picture'
    ? (allBelow(image.parentElement, 'source')
        .flatMap((source) => lazySets.map((name) => largest(attributeOf(source, name))))
        .find((url) => url && !placeholder.test(url)) ?? '')
    : '';

export function pictureOf(image: Element): string {
  const plain = attributeOf(image, 'src') ?? '';
  const given = plain && !placeholder.test(plain) ? plain : '';
  const lazy = lazyNames
    .map((name) => attributeOf(image, name))
    .find((value) => value && !placeholder.test(value));
  const set = lazySets.map((name) => largest(attributeOf(image, name))).find((url) => !placeholder.test(url));
  // What waits to be shown is the picture, whatever is shown until then.
  const waiting = lazy && isPicture.test(lazy) ? lazy : '';
  const url = absolute(waiting || given || lazy || set || inSources(image));
  return /^https?:/.test(url) ? url : '';
}

/** Counts a visit instead of showing something. */
export const isBeacon = (image: Element): boolean =>
  ['width', 'height'].some((side) => /^[012](?:px)?$/.test(attributeOf(image, side) ?? ''));
