/**
 * Parts of an article that another site shows: posts, above all. Once their script has run, the text that the author
 * quoted is in a frame of that site, so it is read there; where it cannot be, a link leads to it.
 */
import { absolute, attributeOf, fits, squeeze } from './pristine.ts';

/** Frames that are part of the text around them. */
export const embedded =
  '.twitter-tweet iframe,twitter-widget iframe,iframe[data-tweet-id],iframe[id^="twitter-widget"],iframe[src*="platform.twitter.com/embed"],iframe.instagram-media,iframe[src*="embed.bsky.app"],iframe.bluesky-embed,iframe.mastodon-embed,iframe[src*="embed.reddit.com"],iframe.wp-embedded-content,iframe[src*="facebook.com/plugins/post"],iframe[src*="threads.net"][src*="/embed"]';

const videos =
  /^https?:\/\/(?:www\.|player\.)?(?:youtube(?:-nocookie)?\.com\/embed|vimeo\.com\/video|dailymotion\.com\/embed)/;

export const isEmbed = (frame: Element): boolean => fits(frame, embedded);

/** What the script of the other site made of the quotation that stood there. */
export const holdsPost = (element: Element): boolean => fits(element, 'div.twitter-tweet,twitter-widget');

/** Where a frame that is not read leads, if it is part of the text. */
export function linkOf(frame: Element): { href: string; text: string } | undefined {
  const src = absolute(attributeOf(frame, 'src'));
  const title = squeeze(attributeOf(frame, 'title'));
  if (videos.test(src)) return { href: src, text: title || 'Video' };
  if (!isEmbed(frame)) return undefined;
  const post = attributeOf(frame, 'data-tweet-id') ?? /[?&]id=(\d+)/.exec(src)?.[1];
  if (post && /^\d+$/.test(post)) return { href: `https://x.com/i/status/${post}`, text: title || 'Post' };
  return /^https?:/.test(src) ? { href: src, text: title || 'Post' } : undefined;
}
