/** Pages as they are found: an article in the middle of everything else, a listing, a reference, a shop. */
const around = (content: string): string => `<!doctype html><html lang="en"><head>
<title>Otters return to the river – The Valley Post</title>
<meta name="description" content="After forty years otters are back.">
<meta property="og:title" content="Otters return"><meta property="og:image" content="/og.jpg">
<meta property="article:published_time" content="2026-03-04T10:00:00Z"><meta name="twitter:card" content="summary">
<link rel="canonical" href="/news/otters">
<script type="application/ld+json">{"@type":"NewsArticle","author":{"name":"Ada Field"}}</script>
<style>.gone{display:none}</style></head><body>
<div id="cookie-banner" class="cookie-consent"><p>We value your privacy. We and our 814 partners store cookies on your device to process personal data such as unique identifiers.</p><button>Accept all</button></div>
<header class="site-header"><a href="/">The Valley Post</a><nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li><li><a href="/weather">Weather</a></li><li><a href="/jobs">Jobs</a></li></ul></nav></header>
<div class="layout">${content}
<aside class="sidebar"><h3>Most read</h3><ul><li><a href="/a">Bridge closed until spring</a></li><li><a href="/b">Bakery wins prize</a></li></ul></aside></div>
<footer><p>Copyright The Valley Post. All rights reserved. <a href="/imprint">Imprint</a></p></footer>
<p class="gone">This was never to be seen by anybody.</p><script>window.tracked = 1</script></body></html>`;

const sentence = (n: number): string =>
  `Paragraph ${n} tells how the animals came down from the hills, one pair in the first winter and three the next, and how the anglers, who had not asked for them, learned to live with it.`;

export const article = around(`<main><article><h1>Otters return to the river</h1>
<div class="share-bar social"><a href="https://x.example/s">Share</a> <a href="https://f.example/s">Post</a> <a href="mailto:?x">Mail</a></div>
<p>${sentence(1)} <a href="notes.html#one">A note</a> says when.</p>
<h2>Where they live<a class="anchor" href="#where">#</a></h2><p>${sentence(2)} Water is H<sub>2</sub>O &amp; cold_as_ice *always*.</p>
<figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/otter (1).jpg" alt="An otter [asleep]"><figcaption>Asleep.</figcaption></figure>
<ul><li>Fish<ul><li>Trout</li><li>Eel</li></ul></li><li><p>Frogs</p></li></ul><ol start="3"><li>third</li><li>fourth</li></ol>
<pre><code class="language-js">const otter = { wet: true };
if (otter.wet || cold) {
  swim();
}</code></pre>
<table><caption>Counts</caption><tr><th>Year</th><th>Otters</th></tr><tr><td>2024</td><td>2</td></tr><tr><td>2025</td><td>a|b</td></tr></table>
<dl><dt>Holt</dt><dd>The den of an otter.</dd></dl>
<details><summary>More</summary><p>${sentence(3)}</p></details>
<blockquote><p>They were here first.</p></blockquote><p>${sentence(4)}</p><p>${sentence(5)}</p></article>
<section class="related-articles"><h2>Related stories</h2><ul><li><a href="/c">Beavers next?</a></li><li><a href="/d">Fish stocks fall</a></li></ul></section>
<section id="comments" class="comments"><h2>Comments</h2><p>First! I saw one too, behind the mill, and it looked at me for a good long while before it left.</p></section></main>`);

const item = (n: number): string =>
  `<div class="card"><a href="/item/${n}"><h3>Product number ${n}</h3><p>Made of wood, ${n} pieces in a box</p></a><span class="price">${n}.50 €</span></div>`;

export const listing = `<!doctype html><title>All products</title><nav><a href="/">Home</a> <a href="/cart">Cart</a> <a href="/help">Help</a></nav>
<h1>All products</h1><div class="grid">${Array.from({ length: 20 }, (_, n) => item(n + 1)).join('')}</div><footer>Shop Ltd</footer>`;

export const form = `<!doctype html><title>Sign in</title><form id=login action="/login" method=post><label>Name <input name=user required></label>
<input type=password name=secret value=hunter2><select name=lang><option value=en>English<option value=de>German</select><input type=hidden name=childNodes><input type=hidden name=getAttribute><button>Go</button></form><img name=body src=x><p>Enter your name, please.</p>`;
