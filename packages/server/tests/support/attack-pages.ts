import { expect } from 'vitest';
import type { Attack, World } from './attack-world.ts';

/**
 * From a page of an allowed site: everything a page can load, send or open, aimed at a listener of the machine. `HOST` in
 * a page stands for that listener's address.
 */
const waitMs = 250;
/** A busy machine takes its time until a page has tried; each wait is over as soon as the refusal is there. */
const longerWaitsMs = [waitMs, 2000, 10_000];

interface Shown {
  headers?: string[];
  forMs?: number;
  /** How many attempts to wait for. */
  attempts?: number;
}

/**
 * Leaves the page at rest on the same site: a navigation that is still under way would interrupt the next attack's. One of
 * the page's own can interrupt ours, which then arrives all the same.
 */
async function show(
  world: World,
  body: string,
  { headers = [], forMs = waitMs, attempts = 1 }: Shown = {},
): Promise<string[]> {
  const host = `127.0.0.1:${world.canaries.tcp}`;
  const named = (text: string): string => text.replaceAll('HOST', host);
  const url = world.site.serve(named(body), { headers: headers.map(named) });
  const code = `const seen = new Set(), rest = args.site + '/rest';
    const isTry = (url) => url.includes(args.host) && !url.startsWith(args.site);
    const tried = context.waitForEvent('response', { predicate: (it) => isTry(it.url()) && seen.add(it.url()).size >= ${attempts}, timeout: ${forMs} }).catch(() => 0);
    await page.goto(args.url, { waitUntil: 'commit' }).catch(() => 0); await tried;
    const rests = () => page.goto(rest).catch(() => page.waitForURL(rest, { timeout: 1000 }));
    while (!(await rests().then(() => true, () => false)));`;
  const { activity } = await world.run(code, { args: { url, host }, timeoutMs: forMs + 20_000 });
  return activity
    .filter(
      ({ type, url }: { type: string; url?: string }) => type === 'policy_blocked' && url?.includes(host),
    )
    .map(({ url }: { url: string }) => url);
}

const script = (code: string): string => `<body><script>${code}</script>`;
const inWorker = (code: string): string =>
  script(`new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}])))`);

/** What one page can try side by side: each of them aims at a path of its own. */
const triedTogether: Record<string, string> = {
  'an image': '<img src="http://HOST/">',
  'a script': '<script src="http://HOST/"></script>',
  'a module': '<script type="module" src="http://HOST/"></script>',
  'a style sheet': '<link rel="stylesheet" href="http://HOST/">',
  'an image in CSS': '<div style="background: url(http://HOST/)">x</div>',
  'a font': '<style>@font-face { font-family: f; src: url(http://HOST/); } p { font-family: f; }</style><p>x',
  'a frame': '<iframe src="http://HOST/"></iframe>',
  'a frame in a frame of its own origin': `<iframe srcdoc="<iframe src='http://HOST/'></iframe>"></iframe>`,
  'an object': '<object data="http://HOST/"></object>',
  'an embedded thing': '<embed src="http://HOST/">',
  'a video': '<video src="http://HOST/" autoplay></video>',
  'an SVG image': '<svg><image href="http://HOST/" /></svg>',
  'a prefetch': '<link rel="prefetch" href="http://HOST/">',
  'a preload': '<link rel="preload" as="fetch" href="http://HOST/">',
  'a fetch': script('fetch("http://HOST/", { mode: "no-cors", keepalive: true })'),
  'a fetch in a worker': inWorker('fetch("http://HOST/", { mode: "no-cors" })'),
  'an import in a worker': inWorker('importScripts("http://HOST/")'),
  'an XMLHttpRequest': script('const x = new XMLHttpRequest(); x.open("POST", "http://HOST/"); x.send("x")'),
  'an event source': script('new EventSource("http://HOST/")'),
  'a beacon': script('navigator.sendBeacon("http://HOST/", "x")'),
  'a link with a ping': '<a id="a" href="#x" ping="http://HOST/">x</a><script>a.click()</script>',
};

/** What leaves its page, and what shows the exit no path. */
const triedAlone: Record<string, string> = {
  'a meta refresh': '<meta http-equiv="refresh" content="0;url=http://HOST/">',
  'a script that goes there': script('location = "http://HOST/"'),
  'a form that is sent':
    '<form action="http://HOST/" method="post"><input name="a" value="b"></form><script>document.forms[0].submit()</script>',
  'a new window': script('open("http://HOST/")'),
  'a WebSocket': script('new WebSocket("ws://HOST/")'),
  'a WebSocket over TLS': script('new WebSocket("wss://HOST/")'),
};

/** What Chromium may not even try: all on one page. */
const perhapsTried = `
  <link rel="preconnect" href="https://HOST/"><link rel="dns-prefetch" href="//attack.localhost">
  <link rel="icon" href="http://HOST/"><link rel="manifest" href="http://HOST/">
  <script type="speculationrules">{"prefetch":[{"urls":["http://HOST/"],"eagerness":"immediate"}],"prerender":[{"urls":["http://HOST/"],"eagerness":"immediate"}]}</script>
  <iframe src="ftp://HOST/"></iframe><iframe src="gopher://HOST/"></iframe><img src="ws://HOST/"><iframe src="chrome://version"></iframe>
  <iframe src="file:///etc/passwd"></iframe><img src="file:///etc/passwd">
  <script>open("file:///etc/passwd"); location = "file:///etc/passwd"; fetch("file:///etc/passwd")</script>`;

const pathOf = (what: string): string => what.replaceAll(' ', '-');
const aimed = (what: string): string =>
  (triedTogether[what] ?? '').replaceAll('HOST/', `HOST/${pathOf(what)}`);

/** The paths that the one page with all of them was refused, visited once for each world. */
const pages = new WeakMap<World, Promise<string[]>>();
function refusedTogether(world: World): Promise<string[]> {
  const kinds = Object.keys(triedTogether);
  const visit =
    pages.get(world) ?? show(world, kinds.map(aimed).join('\n'), { forMs: 2000, attempts: kinds.length });
  pages.set(world, visit);
  return visit;
}

/** The refusal must be seen, or the attempt proves nothing. */
async function mustBeRefused(world: World, body: string, isIt: (url: string) => boolean): Promise<void> {
  let refused: string[] = [];
  for (const forMs of longerWaitsMs)
    if (refused.length === 0) refused = (await show(world, body, { forMs })).filter(isIt);
  expect(refused.length).toBeGreaterThan(0);
}

const reaching = (
  list: Record<string, string>,
  attempt: (world: World, what: string, body: string) => Promise<unknown>,
): Attack[] =>
  Object.entries(list).map(([what, body]) => ({
    name: `reaches a closed host by ${what}`,
    attempt: async (world) => void (await attempt(world, what, body)),
  }));

export const pageAttacks: Attack[] = [
  ...reaching(triedTogether, async (world, what) => {
    const isIt = (url: string): boolean => new URL(url).pathname === `/${pathOf(what)}`;
    if (!(await refusedTogether(world)).some(isIt)) await mustBeRefused(world, aimed(what), isIt);
  }),
  ...reaching(triedAlone, (world, _, body) => mustBeRefused(world, body, () => true)),
  {
    name: 'reaches a closed host, or a file, by a preconnect, a look-up, a speculation rule, an icon, a manifest, FTP and other schemes',
    attempt: async (world) => void (await show(world, perhapsTried)),
  },
  {
    name: 'reports a violation to a closed host, by CSP and by the reporting API',
    async attempt(world) {
      await show(world, '<img src="/blocked">', {
        headers: [
          "content-security-policy: img-src 'none'; report-uri http://HOST/csp",
          'reporting-endpoints: default="https://HOST/report"',
        ],
      });
      await show(world, '<img src="/x">', {
        headers: ['link: <http://HOST/>; rel=preload; as=image', 'refresh: 0; url=http://HOST/'],
      });
    },
  },
  {
    name: 'reaches a closed host from a service worker',
    async attempt(world) {
      const to = `http://127.0.0.1:${world.canaries.tcp}/`;
      const worker = world.site.serve(
        `fetch('${to}', { mode: 'no-cors' }).catch(() => 0); self.onfetch = (event) => event.respondWith(fetch('${to}', { mode: 'no-cors' }))`,
        { type: 'text/javascript' },
      );
      const code = `await page.goto(args.site); await page.evaluate(async (url) => { await navigator.serviceWorker.register(url, { scope: '/' }); await navigator.serviceWorker.ready; }, args.worker);
        await page.goto(args.site + '/through').catch(() => 0); await sleep(${waitMs});
        await page.context().newCDPSession(page).then((s) => s.send('Storage.clearDataForOrigin', { origin: args.site, storageTypes: 'service_workers' }));`;
      const { activity, ...answer } = await world.run(code, { args: { worker } });
      expect(answer.error).toBeUndefined();
      expect(answer.success).toBe(true);
      expect(activity.some((entry: { type: string }) => entry.type === 'policy_blocked')).toBe(true);
    },
  },
  {
    name: 'finds out an address of the machine, or reaches it, by WebRTC',
    async attempt(world) {
      const code = `await page.goto(args.site);
        return page.evaluate(async ({ tcp, udp }) => {
          const peer = new RTCPeerConnection({ iceServers: [{ urls: ['stun:127.0.0.1:' + udp] }, { urls: ['turn:127.0.0.1:' + udp, 'turn:127.0.0.1:' + tcp + '?transport=tcp', 'turns:127.0.0.1:' + tcp + '?transport=tcp'], username: 'a', credential: 'b' }] });
          const found = [];
          peer.onicecandidate = ({ candidate }) => candidate?.candidate && found.push(candidate.candidate);
          peer.createDataChannel('x');
          await peer.setLocalDescription(await peer.createOffer());
          await new Promise((resolve) => setTimeout(resolve, 1000));
          return [...found, ...peer.localDescription.sdp.split('\\n').filter((line) => /^a=candidate/.test(line))];
        }, args.canary);`;
      expect(await world.run(code)).toMatchObject({ success: true, result: [] });
    },
  },
  {
    name: 'leaves by WebTransport, which would be UDP',
    async attempt(world) {
      const code = `await page.goto(args.site);
        return page.evaluate(async ({ udp }) => { try { const t = new WebTransport('https://127.0.0.1:' + udp + '/'); await Promise.race([t.ready, new Promise((_, no) => setTimeout(no, 800))]); return 'open'; } catch (error) { return 'refused'; } }, args.canary);`;
      expect(await world.run(code)).toMatchObject({ result: 'refused' });
    },
  },
];
