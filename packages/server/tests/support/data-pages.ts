/** Pages that tell machines what they are about, as shops, papers and lists do, and as pages that mean harm do. */
const ld = (...things: unknown[]): string =>
  things.map((thing) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`).join('');

const organization = {
  '@type': 'Organization',
  '@id': '#shop',
  name: 'The Shop',
  url: '/',
  description: 'We sell.',
};

const product = {
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'WebSite', name: 'The Shop', url: '/', publisher: { '@id': '#shop' } },
    organization,
    { '@type': 'BreadcrumbList', itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Lamps' }] },
    {
      '@type': 'Product',
      name: 'Desk lamp',
      sku: 'L-100',
      image: ['/lamp-1.jpg', '/lamp-2.jpg'],
      brand: { '@type': 'Brand', name: 'Lumen' },
      aggregateRating: { '@type': 'AggregateRating', ratingValue: '4.6', reviewCount: 128 },
      review: [
        { '@type': 'Review', author: { '@type': 'Person', name: 'Ada' }, reviewBody: 'Bright.' },
        { '@type': 'Review', author: 'Bob', reviewBody: 'Dim.' },
      ],
      offers: {
        '@type': 'Offer',
        price: '1299.50',
        priceCurrency: 'EUR',
        availability: 'https://schema.org/InStock',
        priceValidUntil: '2026-12-31',
        seller: { '@id': '#shop' },
      },
    },
  ],
};

const listed = (name: string, price: string, stock: string): string => `
  <li itemscope itemtype="https://schema.org/Product"><a itemprop="url" href="/p/${name.toLowerCase()}"><span itemprop="name">${name}</span></a>
    <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price">${price}</span>
      <link itemprop="availability" href="https://schema.org/${stock}"></div></li>`;

const shown = (name: string, price: string): string =>
  `<article class=card data-id="${name}"><h2>${name}</h2><a href="/c/${name}">more</a><b class=cost>${price}</b></article>`;

export const dataPages: Record<string, string> = {
  '/product': `<!doctype html><html lang=en><title>Desk lamp | The Shop</title>
    <meta property="og:title" content="A lamp to love"><meta property="og:site_name" content="The Shop">
    ${ld(product)}<h1>Desk lamp</h1><p class=weight data-grams=750>750 g</p>`,
  '/listing': `<!doctype html><html lang=en><title>Lamps</title><ul>${listed('Apollo', '19.90', 'InStock')}
    ${listed('Boreas', '29.90', 'OutOfStock')}${listed('Ceres', 'on request', 'InStock')}</ul>`,
  '/rdfa': `<!doctype html><title>x</title><div vocab="https://schema.org/" typeof="Event"><h1 property="name">Concert</h1>
    <time property="startDate" datetime="2026-05-01T20:00+02:00">1 May</time>
    <div property="location" typeof="Place"><span property="name">Old hall</span></div></div>`,
  '/table': `<!doctype html><html lang=de><meta charset=utf-8><title>Länder</title><table><tr><td>menu</td><td>more</td></tr></table>
    <table><caption>Staaten</caption><thead><tr><th>Country</th><th>Population (2025)</th><th>Area km²</th><th>Member since</th></tr></thead>
      <tr><td><a href="/at">Austria</a></td><td>9.200.000</td><td>83.879</td><td>1. May 2004</td></tr>
      <tr><td><a href="/be">Belgium</a></td><td>11.800.000</td><td>30.689,5</td><td>25.03.1957</td></tr>
      <tr><td colspan=4></td></tr></table>
    <table><tr><th>Capital of the union</th><td>Brussels</td></tr><tr><th>Founded</th><td>1 November 1993</td></tr></table>
    <dl><dt>Currency</dt><dd>Euro</dd><dt>Members<dt>Count</dt><dd>27</dd></dl>`,
  '/open-graph': `<!doctype html><html lang=en-GB><head><title>Otters | Post</title>
    <meta property="og:type" content="article"><meta property="og:title" content="Otters return">
    <meta property="og:image" content="/otter.jpg"><meta property="og:image:width" content="640">
    <meta property="og:url" content="/otters"><meta property="og:site_name" content="The Post">
    <meta property="article:published_time" content="2026-03-05T08:30:00+01:00">
    <meta property="article:tag" content="nature"><meta property="article:tag" content="rivers">
    <meta name="author" content="Ada Lovelace"><meta name="description" content="They are back.">
    <meta name="twitter:label1" content="Reading time"><meta name="twitter:data1" content="5 minutes"></head><p>Text.`,
  '/cards': `<!doctype html><html lang=en><title>Cards</title><main>${shown('one', '$ 1,299.00')}${shown('two', '€ 5')}
    ${shown('three', 'sold out')}</main><a class=next href="/cards?page=2">next</a>`,
  '/broken': `<!doctype html><title>Broken</title><script type="application/ld+json">{"@type": "Product", "name": </script>
    <script type="application/ld+json">//<![CDATA[
      {"@type": "Product", "name": "Mended
       lamp", "sku": "M-1"};
    //]]></script>`,
  '/heavy': `<!doctype html><title>Heavy</title><script>
    const add = (thing) => { const s = document.createElement('script'); s.type = 'application/ld+json';
      s.textContent = JSON.stringify(thing); document.head.append(s); };
    add({ '@type': 'Product', name: 'Small lamp', sku: 'S-1' });
    for (let n = 0; n < 8; n++) add(Array.from({ length: 20000 }, (_, i) => ({ '@type': 'Product', name: 'x'.repeat(40) + i, sku: n })));
    let deep = { name: 'bottom' }; for (let n = 0; n < 3000; n++) deep = { '@type': 'Product', offers: deep }; add(deep);
    </script><p>Text.`,
  '/poisoned': `<!doctype html><title>Poisoned</title><form><input name=childNodes><input name=querySelectorAll></form>
    <script type="application/ld+json">{"@type": "Product", "__proto__": {"polluted": "yes", "sku": "from the prototype"},
      "constructor": {"prototype": {"polluted": "yes"}}, "name": "Lamp", "toString": "not a function"}</script>
    <script>Array.prototype.map = () => ['owned']; Map.prototype.get = () => ['owned']; JSON.parse = () => ({ name: 'owned' });</script>`,
  '/circle': `<!doctype html><title>Circle</title>${ld(
    { '@type': 'Product', '@id': '#a', name: 'Round lamp', isRelatedTo: { '@id': '#b' } },
    { '@type': 'Product', '@id': '#b', name: 'Other lamp', isRelatedTo: { '@id': '#a' } },
  )}`,
};
