import { expect } from 'vitest';
import { type Attack, done, type World } from './attack-world.ts';
import { eventually } from './server.ts';

/** Where a browser must not get to, by script, by page and by redirect. */
const spellings = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '127.255.255.254',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'lo\u00adcalhost',
    '０.0.0.0',
    '１２７.０.０.１',
    '127。0。0。1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'example.test@127.0.0.1',
    'user:pass@localhost',
    '127.0.0.1%00',
    '%31%32%37.0.0.1',
  ],
];

const elsewhere = [
  ...[
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '[fd00:ec2::254]',
    '[::ffff:169.254.169.254]',
    '2852039166',
    '0xa9fea9fe',
  ],
  ...[
    '10.0.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    '[fe80::1]',
    '[fc00::1]',
    '224.0.0.1',
    '255.255.255.255',
    'metadata.google.internal',
  ],
];

const blocked = (activity: { type: string; url: string; rule: string }[]) =>
  activity.filter(({ type }) => type === 'policy_blocked');

/** Tries each address of `args.urls` in the plain browser; an answer of the exit itself is a refusal. */
const reachesNone =
  (way: string, hosts: string[], browser: 'plain' | 'fenced' | 'loose' = 'plain') =>
  async (world: World): Promise<void> => {
    const before = world.site.paths.length;
    const urls = hosts.map((host) =>
      host.includes('://') ? host : `http://${host}:${world.site.port}/spelled`,
    );
    const code = `const result = {}; const way = ${way};
      for (const url of args.urls) result[url] = await one(async () => { const status = await way(url); if (status === 403 || status === 502) throw new Error(status); return status; });
      return result;`;
    const answer = await world.run(code, { browser: world[browser], args: { urls }, timeoutMs: 120_000 });
    expect(answer).toMatchObject({ success: true });
    expect(done(answer.result)).toEqual([]);
    expect(world.site.paths.slice(before).filter((path) => path === '/spelled')).toEqual([]);
    if (urls.length > 1) expect(blocked(answer.activity).length).toBeGreaterThan(0);
  };

const goto = '(url) => page.goto(url, { timeout: 1500 }).then((response) => response.status())';
const request = '(url) => context.request.get(url, { timeout: 1500 }).then((response) => response.status())';
const fetching = `(url) => page.evaluate((url) => fetch(url, { mode: 'no-cors' }).then(() => performance.getEntriesByName(url).at(-1)?.responseStatus || 403), url)`;
const socket = `(url) => page.evaluate((url) => new Promise((resolve, reject) => { const s = new WebSocket(url.replace('http', 'ws')); s.onopen = () => resolve('open'); s.onerror = () => reject(new Error('closed')); }), url)`;

const localhost = { privateAccess: { localhost: true } };
const onlyExample = { ...localhost, allowedDomains: ['example.test'] };

/** The loose browser under another policy, for a while. */
async function looseUnder<T>(
  { server: { api }, loose }: World,
  policy: object,
  work: () => Promise<T>,
): Promise<T> {
  try {
    expect((await api.patch(loose, { policy })).status).toBe(200);
    return await work();
  } finally {
    await api.patch(loose, { policy: localhost });
  }
}

export const egressAttacks: Attack[] = [
  { name: 'navigates to this machine in all spellings', attempt: reachesNone(goto, spellings) },
  {
    name: 'fetches from this machine in all spellings, from a page',
    attempt: reachesNone(fetching, spellings),
  },
  {
    name: 'requests this machine in all spellings, by context.request',
    attempt: reachesNone(request, spellings),
  },
  {
    name: 'opens WebSockets to this machine in several spellings',
    attempt: reachesNone(
      socket,
      spellings.filter((_, index) => index % 4 === 0),
    ),
  },
  {
    name: 'navigates to metadata services and private networks',
    attempt: reachesNone(
      goto,
      elsewhere.map((host) => `http://${host}/latest/meta-data/`),
    ),
  },
  {
    name: 'requests metadata services and private networks, by context.request',
    attempt: reachesNone(
      request,
      elsewhere.map((host) => `http://${host}/latest/meta-data/`),
    ),
  },
  {
    name: 'is sent on by an allowed site, with every kind of redirect',
    async attempt(world) {
      const to = `http://127.0.0.1:${world.canaries.tcp}/`;
      const urls = [301, 302, 303, 307, 308].map((status) => world.site.redirect(to, status));
      const twice = world.site.redirect(world.site.redirect(to));
      for (const way of [goto, request, fetching]) await reachesNone(way, [...urls, twice], 'fenced')(world);
    },
  },
  {
    name: 'names one host to the exit and another to the server',
    async attempt(world) {
      const host = `127.0.0.1:${world.canaries.tcp}`;
      const code = `const get = (url, headers) => () => context.request.get(url, { headers, timeout: 1500, maxRedirects: 0 }).then((r) => { if (r.status() === 403) throw new Error('403'); return r.status(); });
        return all({ userinfo: get('http://' + new URL(args.site).host + '@' + args.host + '/'), backslash: get('http://' + args.host + '\\\\@' + new URL(args.site).host), tls: get('https://' + args.host), fragment: get('http://' + args.host + '#@' + new URL(args.site).host) });`;
      const { result } = await world.run(code, { args: { host } });
      expect(done(result)).toEqual([]);
    },
  },
  {
    name: 'reaches the service itself, though this machine is allowed',
    async attempt(world) {
      const { port } = new URL(world.server.api.url);
      const hosts = [
        '127.0.0.1',
        'localhost',
        '[::1]',
        '0.0.0.0',
        '127.1',
        '[::ffff:127.0.0.1]',
        'a.localhost',
        '127.9.9.9',
      ];
      const urls = hosts.map((host) => `http://${host}:${port}/health`);
      for (const way of [goto, request, fetching, socket]) await reachesNone(way, urls, 'loose')(world);
    },
  },
  {
    name: 'reaches the exit of another browser, or any listener of the service',
    async attempt(world) {
      const { canaries, site } = world;
      const ports = world.ports().filter((port) => port !== site.port && port !== canaries.tcp);
      expect(ports).toContain(Number(new URL(world.server.api.url).port));
      const urls = ports.map((port) => `http://127.0.0.1:${port}/`);
      for (const way of [goto, request]) await reachesNone(way, urls, 'loose')(world);
    },
  },
  {
    name: 'keeps a WebSocket open after the policy was tightened',
    async attempt(world) {
      // a navigation of the attack before may still be under way, and interrupt this one
      const open = `while (!(await page.goto(args.site).then(() => true, () => false)));
        return page.evaluate((url) => new Promise((resolve, reject) => { window.s = new WebSocket(url); s.onopen = () => resolve('open'); s.onerror = reject; }), args.site.replace('http', 'ws') + '/socket')`;
      const { result, error } = await world.run(open, { browser: world.loose, timeoutMs: 120_000 });
      expect([error, result]).toEqual([undefined, 'open']);
      expect(world.site.webSockets.size).toBe(1);
      await looseUnder(world, onlyExample, async () => {
        await eventually(
          async () => world.site.webSockets.size,
          (size) => size === 0,
        );
        const again = await world.run(`return one(() => (${socket})(args.site))`, { browser: world.loose });
        expect(again.result).toMatch(/^refused/);
      });
    },
  },
  {
    name: 'reaches anything but the one host on the allow-list',
    async attempt(world) {
      const near = [
        'notexample.test',
        'example.test.attack.test',
        'example-test',
        'attack.test',
        'example.tes',
        'test',
        'example.test@attack.test',
        'xn--example-.test',
      ];
      const urls = [
        `${world.site.origin}/`,
        `http://localhost:${world.site.port}/`,
        ...near.map((host) => `http://${host}/`),
      ];
      const code = `const result = {}, ways = { page: ${goto}, request: ${request} };
        for (const url of args.urls) for (const [name, way] of Object.entries(ways)) result[name + ' ' + url] = await one(() => way(url).then((s) => s === 403 ? Promise.reject(new Error(s)) : s));
        return result;`;
      const before = world.site.paths.length;
      const options = { browser: world.loose, args: { urls }, timeoutMs: 120_000 };
      const answer = await looseUnder(world, onlyExample, () => world.run(code, options));
      expect(done(answer.result)).toEqual([]);
      expect(world.site.paths.slice(before)).toEqual([]);
      expect(new Set(blocked(answer.activity).map(({ rule }) => rule))).toEqual(
        new Set(['not_in_allow_list']),
      );
    },
  },
  {
    name: 'is given an upstream proxy that is a listener of this machine, or the service',
    async attempt(world) {
      const { api } = world.server;
      const { status } = await api.create({ proxy: api.url, startUrl: 'http://example.test/' });
      expect(status).toBeGreaterThanOrEqual(400);
      for (const proxy of [
        `http://127.0.0.1:${world.canaries.tcp}`,
        `socks5://localhost:${world.canaries.tcp}`,
        api.url,
      ])
        try {
          expect((await api.patch(world.plain, { proxy })).status).toBe(200);
          for (const way of [goto, request])
            await reachesNone(way, ['http://example.test/', 'http://example.test/again'])(world);
        } finally {
          await api.patch(world.plain, { proxy: null });
        }
    },
  },
];
