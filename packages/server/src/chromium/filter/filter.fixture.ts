import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Every method of the protocol, `Domain.method`. */
export const protocol = ['browser_protocol', 'js_protocol'].flatMap((name) => {
  const path = createRequire(import.meta.url).resolve(`devtools-protocol/json/${name}.json`);
  const { domains } = JSON.parse(readFileSync(path, 'utf8')) as {
    domains: { domain: string; commands?: { name: string }[] }[];
  };
  return domains.flatMap(({ domain, commands = [] }) => commands.map(({ name }) => `${domain}.${name}`));
});

/** Addresses that no client may open, in spellings that Chromium would understand. */
export const closedAddresses = [
  ...['file:///etc/passwd', 'FILE:///etc/passwd', ' file:///etc/passwd', '\u0001file:///etc/passwd'],
  ...[
    'f\tile:///etc/passwd',
    'fi\nle:///etc/passwd',
    'file:\\\\\\etc\\passwd',
    'file:etc/passwd',
    'file://host/x',
  ],
  ...['view-source:file:///etc/passwd', 'view-source:http://a.test/', 'View-Source:about:blank'],
  ...[
    'chrome://settings',
    'chrome://crash',
    'CHROME://version',
    'chrome-untrusted://x/',
    'chrome-error://x/',
  ],
  ...['chrome-extension://abc/x.html', 'devtools://devtools/bundled/inspector.html', 'chrome-search://x/'],
  ...[
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'filesystem:http://a.test/temporary/x',
    'about:version',
  ],
  ...[
    'about:settings',
    'about:',
    'about:Blank',
    'blob:file:///x',
    'blob:chrome://x/1',
    'ftp://a.test/',
    'ws://a.test/',
  ],
  ...['mailto:a@b.test', 'intent:x', 'isolated-app://x/', 'content://x/', 'cid:x', 'googlechrome://x'],
];
