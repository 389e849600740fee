import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Pages with cookie banners that are built as those of well-known makers, under many names: all of *.localhost leads to it.
 * Each banner covers its page in red. Its buttons tell the site, which remembers, and the page shows it no more.
 */
export interface ConsentSite extends AsyncDisposable {
  /** The address of a path under a name such as `shop`. */
  at(name: string, path: string): string;
  /** What was pressed, as `name button`, oldest first. */
  pressed: string[];
  /** What pages told of themselves, by their names. */
  told: Map<string, unknown>;
}

const red = 'position: fixed; inset: 0; background: rgb(255, 0, 0)';

/** In every page: a banner is there until a choice was made, and `choose` makes one. */
const chosen = `<script>
const isChosen = () => /chosen=/.test(document.cookie);
const choose = (what, ...gone) => {
  document.cookie = 'chosen=' + what + '; path=/; max-age=86400';
  for (const each of gone) document.querySelector(each)?.remove();
  return fetch('/pressed?' + what, { method: 'POST', keepalive: true });
};
</script>`;

const page = (body: string): string =>
  `<!doctype html><title>site</title>${chosen}<h1>The text of the page</h1>${body}`;

const shown = (html: string): string =>
  page(
    `<div id=place></div><script>if (!isChosen()) document.querySelector('#place').innerHTML = ${JSON.stringify(html)};</script>`,
  );

const oneTrust = `<div id=onetrust-consent-sdk><div id=onetrust-banner-sdk style='${red}' role=dialog>We value your privacy
  <button id=onetrust-accept-btn-handler onclick="choose('accepted', '#place')">Accept all</button>
  <button id=onetrust-reject-all-handler onclick="choose('declined', '#place')">Reject all</button></div></div>`;

const didomi = `<div id=didomi-host><div id=didomi-popup style='${red}'>We and our partners
  <button id=didomi-notice-agree-button onclick="choose('accepted', '#place')">Agree</button>
  <button id=didomi-notice-disagree-button onclick="choose('declined', '#place')">Disagree</button></div></div>`;

/** Recognised only by an object in the page's own world. */
const cookiebot = page(`<div id=place></div><script>
globalThis.Cookiebot = { hasResponse: isChosen(), declined: false, dialog: { visible: !isChosen() } };
const end = (what) => { Object.assign(Cookiebot, { hasResponse: true, dialog: { visible: false } }); choose(what, '#place') };
if (!isChosen()) place.innerHTML = \`<div id=CybotCookiebotDialog style='${red}'>This website uses cookies
  <button id=CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll onclick="end('accepted')">Allow all</button>
  <button id=CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll onclick="end('declined')">Deny</button></div>\`;
</script>`);

/** In a shadow tree, and asked by name in the page's own world. */
const usercentrics = page(`<div id=usercentrics-root></div><script>
globalThis.UC_UI = { areAllConsentsAccepted: () => false };
const root = document.querySelector('#usercentrics-root');
if (isChosen()) root.remove();
else root.attachShadow({ mode: 'open' }).innerHTML = \`<div data-testid=uc-container style='${red}'>
  <button data-testid=uc-accept-all-button>Accept all</button><button data-testid=uc-deny-all-button>Deny</button></div>\`;
root.shadowRoot?.querySelector('[data-testid=uc-accept-all-button]').addEventListener('click', () => choose('accepted', '#usercentrics-root'));
root.shadowRoot?.querySelector('[data-testid=uc-deny-all-button]').addEventListener('click', () => choose('declined', '#usercentrics-root'));
</script>`);

/** A page without scripts is loaded long before its banner is declined. */
const still = `<!doctype html><title>still</title><h1>The text of the page</h1><div id=onetrust-consent-sdk>
  <div id=onetrust-banner-sdk style='${red}'>We value your privacy
  <button id=onetrust-accept-btn-handler>Accept all</button>
  <button id=onetrust-reject-all-handler onclick="this.parentNode.remove()">Reject all</button></div></div>`;

/** It has no button that declines. */
const stubborn = `<div id=usercentrics-button style='${red}'><button id=uc-btn-accept-banner>Accept</button></div>`;

/** Of no maker that a rule knows. */
const byItsWords = `<div style='${red}' role=dialog><p>We use cookies and similar technologies to personalise content. You can accept or reject all cookies.</p>
  <button onclick="choose('accepted', '#place')">Accept all cookies</button>
  <button onclick="choose('declined', '#place')">Reject all cookies</button></div>`;

/** The document in the frame of a banner. */
const framed = page(`<div style='${red}'>
  <button class='message-button sp_choice_type_11' onclick="choose('accepted').then(() => parent.postMessage('gone', '*'))">Accept</button>
  <button class='message-button sp_choice_type_12' onclick="choose('managed')">Options</button>
  <button class='message-button sp_choice_type_13' onclick="choose('declined').then(() => parent.postMessage('gone', '*'))">Reject</button></div>`);
const frame = (other: string): string =>
  page(`<div id=sp_message_container_1 style='${red}'>
  <iframe src='${other}/index.html?message_id=1&consentUUID=x' style='width: 100%; height: 100%'></iframe></div>
  <script>onmessage = () => document.querySelector('#sp_message_container_1').remove();</script>`);

/** Tells what a page sees of the world around it, and what changes in it while banners are looked for. */
const looksAround = page(`<script>
const changes = [];
const named = (nodes) => [...nodes].map(({ nodeName }) => nodeName).join();
new MutationObserver((all) => changes.push(...all.filter(({ attributeName }) => attributeName !== 'data-round')
  .map(({ type, target, addedNodes, removedNodes }) => [type, target.nodeName, named(addedNodes), named(removedNodes)].join(' '))))
  .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
addEventListener('load', async () => {
  // For as long as some rounds of looking take, each with something new to look at.
  for (let round = 0; round < 8; round++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    document.body.dataset.round = round;
  }
  const names = [...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertySymbols(globalThis).map(String),
    ...Object.getOwnPropertyNames(document), ...Object.getOwnPropertySymbols(document).map(String)];
  await fetch('/told', { method: 'POST', body: JSON.stringify({ names: names.sort(), changes, html: document.documentElement.outerHTML }) });
});
</script>`);

/** Makes frames, documents and changes as fast as it can, and a banner that is never gone. */
const floods = page(`${oneTrust}<div id=here></div><script>
const more = () => {
  for (let n = 0; n < 20; n++) {
    const frame = document.createElement('iframe');
    frame.src = '/framed-flood?' + Math.random();
    here.append(frame);
    if (here.children.length > 40) here.firstChild.remove();
    document.body.dataset.n = Math.random();
  }
  setTimeout(more);
};
more();
Object.defineProperty(globalThis, 'Cookiebot', { get: () => { throw new Error('seen') } });
</script>`);

const pages: Record<string, (other: string) => string> = {
  '/onetrust': () => shown(oneTrust),
  '/didomi': () => shown(didomi),
  '/cookiebot': () => cookiebot,
  '/usercentrics': () => usercentrics,
  '/still': () => still,
  '/stubborn': () => shown(stubborn),
  '/later': () =>
    page(
      `<div id=place></div><script>const show = () => { place.innerHTML = ${JSON.stringify(oneTrust)} }</script>`,
    ),
  '/words': () => shown(byItsWords),
  '/frame': frame,
  '/index.html': () => framed,
  '/plain': () => page(''),
  '/around': () => looksAround,
  '/floods': () => floods,
  '/opens': () => page(`<script>open('/onetrust')</script>`),
};

export async function startConsentSite(): Promise<ConsentSite> {
  const pressed: string[] = [];
  const told: ConsentSite['told'] = new Map();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { port } = server.address() as AddressInfo;
    const name = request.headers.host?.replace(/\.localhost:\d+$/, '') ?? '';
    const [path = '', query = ''] = (request.url ?? '/').split('?');
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    if (path === '/pressed') pressed.push(`${name} ${query}`);
    if (path === '/told') told.set(name, JSON.parse(body));
    const html = pages[path]?.(`http://${name}-frame.localhost:${port}`);
    response.setHeader('content-type', 'text/html').end(html ?? 'nothing here');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    pressed,
    told,
    at: (name, path) => `http://${name}.localhost:${port}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
