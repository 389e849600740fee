/**
 * Sites that Chromium cannot judge: their certificates are signed by authorities of the browser's owner, or they ask for a
 * certificate of the browser's. The exit speaks TLS with them, and vouches for them to the one Chromium that knows its key.
 *
 *   Chromium ══ TLS, certificate of the exit ══ exit ══ TLS, certificate of the site: checked ══ site
 */
export { type ClientHello, hearHello } from './client-hello.ts';
export {
  type Authority,
  type CertificateFacts,
  type Identity,
  mostAuthorities,
  readAuthorities,
  readIdentities,
} from './given.ts';
export { type Mistrust, mistrustOf, refusalOfOurs, type Secured, secureSite } from './secure-site.ts';
export { Sites, type SiteTrust } from './sites.ts';
export { Turnstile } from './turnstile.ts';
export { Voucher } from './voucher.ts';
