/** What the head of a page says: OpenGraph, the cards of Twitter, and all other names. Each is one thing, the page itself. */
import { absolute, allIn, attributeOf, squeeze, theRoot, theTitle } from '../pristine.ts';
import { plain } from './names.ts';
import { newThing, type Supply, type Thing, tell } from './things.ts';

const mostTags = 1000;

/** Namespaces of OpenGraph, which are no part of the name. */
const graph = /^(?:og|article|product|book|profile|video|music|business|place|event):/;

interface Tag {
  name: string;
  content: string;
}

const tags = (): Tag[] =>
  allIn('meta[content]')
    .slice(0, mostTags)
    .flatMap((tag) => {
      const name = attributeOf(tag, 'property') ?? attributeOf(tag, 'name');
      const content = squeeze(attributeOf(tag, 'content'));
      return name && content ? [{ name: name.toLowerCase(), content }] : [];
    });

function openGraph(all: Tag[], supply: Supply): Thing {
  const kinds = all.filter(({ name }) => name === 'og:type').map(({ content }) => content);
  const thing = newThing('openGraph', kinds);
  for (const { name, content } of all) {
    if (!graph.test(name) || name === 'og:type') continue;
    const own = name.replace(graph, '').replace(/:(?:amount|url|secure_url)$/, '');
    // `og:image:url` and `og:image:secure_url` repeat `og:image`.
    if (own !== name.replace(graph, '') && thing.values.has(plain(own))) continue;
    tell(thing, own, content, supply);
  }
  return thing;
}

/** Its cards have labels of the page's own: `twitter:label1` names `twitter:data1`. */
function twitter(all: Tag[], supply: Supply): Thing {
  const thing = newThing('twitter');
  for (const { name, content } of all) {
    if (!name.startsWith('twitter:')) continue;
    const label = /^twitter:data(\d)$/.exec(name)?.[1];
    const named = label && all.find((tag) => tag.name === `twitter:label${label}`)?.content;
    tell(thing, named || name.slice('twitter:'.length), content, supply);
  }
  return thing;
}

function rest(all: Tag[], supply: Supply): Thing {
  const thing = newThing('meta');
  for (const { name, content } of all)
    if (!graph.test(name) && !name.startsWith('twitter:'))
      tell(thing, name.replace(/^(?:dc|dcterms|citation|parsely|sailthru)[.:_-]/, ''), content, supply);
  tell(thing, 'title', theTitle(document), supply);
  const [canonical] = allIn('link[rel~=canonical][href]');
  if (canonical) tell(thing, 'canonical', absolute(attributeOf(canonical, 'href')), supply);
  const root = theRoot(document);
  const language = root && attributeOf(root, 'lang');
  if (language) tell(thing, 'language', language, supply);
  return thing;
}

export function headThings(supply: Supply): Thing[] {
  const all = tags();
  return [openGraph(all, supply), twitter(all, supply), rest(all, supply)];
}
