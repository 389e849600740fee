/** When two names mean the same: however they are written, and in the words of schema.org. */

/** In each, words for one thing. The first ones are those of schema.org and OpenGraph. */
const groups = [
  ['name', 'title', 'headline', 'heading'],
  ['description', 'abstract', 'summary', 'excerpt', 'disambiguatingdescription'],
  ['articlebody', 'text', 'body', 'content', 'reviewbody'],
  ['image', 'thumbnailurl', 'photo', 'picture', 'thumbnail', 'imageurl', 'img'],
  ['url', 'link', 'href', 'canonical', 'permalink'],
  ['author', 'creator', 'byline', 'writtenby', 'articleauthor'],
  ['datepublished', 'published', 'publishedat', 'publishedtime', 'publishdate', 'publicationdate', 'date'],
  ['datemodified', 'modified', 'updatedat', 'modifiedtime', 'updated', 'lastmodified', 'updatedtime'],
  ['datecreated', 'created', 'createdat', 'uploaddate'],
  ['sitename', 'site', 'website', 'applicationname'],
  ['inlanguage', 'language', 'lang', 'locale'],
  ['keywords', 'tags', 'tag'],
  ['articlesection', 'section'],
  ['price', 'priceamount', 'saleprice', 'currentprice', 'lowprice', 'cost'],
  ['pricecurrency', 'currency', 'currencycode'],
  ['availability', 'instock', 'isavailable', 'available', 'stock'],
  ['ratingvalue', 'rating', 'stars', 'averagerating'],
  ['reviewcount', 'ratingcount', 'reviewscount', 'numberofreviews', 'reviewtotal', 'ratings'],
  ['review', 'reviews'],
  ['itemcondition', 'condition'],
  ['brand', 'manufacturer', 'make'],
  ['seller', 'vendor', 'merchant', 'shop'],
  ['telephone', 'phone', 'phonenumber', 'tel'],
  ['email', 'emailaddress', 'mail'],
  ['streetaddress', 'street'],
  ['addresslocality', 'city', 'town', 'locality'],
  ['addressregion', 'region', 'state', 'province'],
  ['postalcode', 'zip', 'zipcode', 'postcode'],
  ['addresscountry', 'country', 'countryname'],
  ['latitude', 'lat'],
  ['longitude', 'lng', 'lon', 'long'],
  ['startdate', 'start', 'startsat', 'starttime', 'begins'],
  ['enddate', 'end', 'endsat', 'endtime', 'ends'],
  ['location', 'venue', 'place'],
  ['hiringorganization', 'company', 'employer', 'organization'],
  ['basesalary', 'salary'],
  ['joblocation', 'location'],
  ['recipeingredient', 'ingredients', 'ingredient'],
  ['recipeinstructions', 'instructions', 'steps', 'directions', 'method'],
  ['recipeyield', 'servings', 'yield', 'serves'],
  ['totaltime', 'duration'],
  ['itemlistelement', 'items', 'entries', 'results'],
  ['acceptedanswer', 'answer'],
  ['mainentity', 'questions'],
];

const synonyms = new Map<string, Set<string>>();
for (const group of groups)
  for (const name of group) {
    const known = synonyms.get(name) ?? new Set();
    for (const other of group) known.add(other);
    synonyms.set(name, known);
  }

/** `datePublished`, `date_published`, `Date published:` are one name. */
export const plain = (name: string): string =>
  name
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Headings of columns say what is in brackets besides: `Price (EUR)`. */
export const plainHeading = (name: string): string[] => {
  const bare = plain(name.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' '));
  return [...new Set([plain(name), bare])].filter(Boolean);
};

function* numbersOf(name: string): Generator<string> {
  yield name;
  if (name.endsWith('ies')) yield `${name.slice(0, -3)}y`;
  if (name.endsWith('s') && name.length > 3) yield name.slice(0, -1);
  else yield `${name}s`;
}

const remembered = new Map<string, string[]>();

/** The names under which a property may be found, the likeliest first: its own, then words for the same. */
export function namesFor(property: string): string[] {
  const known = remembered.get(property);
  if (known) return known;
  const own = [...numbersOf(plain(property))];
  const all = [...new Set([...own, ...own.flatMap((name) => [...(synonyms.get(name) ?? [])])])];
  if (remembered.size < 1000) remembered.set(property, all);
  return all;
}

/** Whether a kind of thing, such as `Product`, is what the property is called: `product`, `products`. */
export const isKind = (kind: string, property: string): boolean =>
  [...numbersOf(plain(property))].includes(plain(kind));
