/** Where a document leads: its links, each once and without a fragment, and what it says to crawlers. */
import type { Onward } from './inside.ts';
import { absolute, allIn, attributeOf, shadowOf } from './pristine.ts';

const mostLinks = 10_000;
const longestUrl = 2048;
/** In a page larger than this, open shadow roots are not looked for. */
const mostElements = 50_000;
const links = 'a[href],area[href]';

function linksOf(elements: Element[], found: Set<string>): boolean {
  for (const element of elements) {
    if (found.size >= mostLinks) return false;
    const url = absolute(attributeOf(element, 'href')).replace(/#.*$/s, '');
    if (/^https?:/.test(url) && url.length <= longestUrl) found.add(url);
  }
  return true;
}

/** Frameworks that build a page of components put the links of a menu into shadow roots. */
function linksInShadows(elements: Element[], found: Set<string>, depth: number): boolean {
  if (depth > 20 || elements.length > mostElements) return true;
  return elements.every((element) => {
    const root = shadowOf(element);
    if (!root) return true;
    const inner = [...DocumentFragment.prototype.querySelectorAll.call(root, '*')];
    return (
      linksOf(
        inner.filter((each) => Element.prototype.matches.call(each, links)),
        found,
      ) && linksInShadows(inner, found, depth + 1)
    );
  });
}

const canonicalOf = (tag: Element | undefined): string | undefined => {
  const url = tag && absolute(attributeOf(tag, 'href'));
  return url && url.length <= longestUrl ? url : undefined;
};

export function onward(crawler: string): Onward {
  const found = new Set<string>();
  const all = linksOf(allIn(links), found) && linksInShadows(allIn('*'), found, 0);
  const canonical = allIn('link[rel~=canonical i]')[0];
  const said = allIn('meta[name][content]')
    .filter((tag) => ['robots', crawler].includes(attributeOf(tag, 'name')?.toLowerCase() ?? ''))
    .map((tag) => attributeOf(tag, 'content')?.toLowerCase() ?? '');
  return {
    links: [...found],
    cut: !all,
    canonical: canonicalOf(canonical),
    nofollow: said.some((content) => /\b(?:nofollow|none)\b/.test(content)),
  };
}
