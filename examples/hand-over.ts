// When a program cannot go on alone (a sign-in, a captcha, a doubt), it requests a person. The person takes over in a web
// browser and hands back.
//
//   npm run example -- hand-over [address] [what the person should do]
import { Browserd } from '@browserd/sdk';
import { onlyThis } from './target.ts';

const [target = 'https://example.com', message = 'Please sign in, then hand back.'] = process.argv.slice(2);

const client = new Browserd();
await using browser = await client.browsers.create({ startUrl: target, policy: onlyThis(target) });

const { url } = await browser.handoff.request({ message });
// Send it to a person. It is a secret: it grants access, so the event `browser.handoff` does not have it.
console.log(`${message}\n${url}`);

// An hour, then the program goes on without a person.
await browser.handoff.finished({ signal: AbortSignal.timeout(3_600_000) });
const { page } = await browser.run('return page.title()');
console.log(`Handed back at ${page?.url} (${page?.title})`);
