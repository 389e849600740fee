/**
 * The full Chromium calls its vendor's services even with background networking off; the shell calls none. These hosts
 * serve nothing but Chromium itself, so they are refused, and where Chromium itself asked, without an event. The exit
 * cannot tell Chromium from a page there, so what pages asked for is told by what sees the pages
 * (browsers/live/vendor-calls.ts). A host that pages use too is not listed, however often Chromium calls it by itself
 * (www.google.com, redirector.gvt1.com): the policy decides.
 */
const backgroundHosts = new Set([
  'update.googleapis.com', // component and extension updates
  'clients2.google.com', // extension updates, network time
  'clientservices.googleapis.com', // field trials
  'optimizationguide-pa.googleapis.com',
  'content-autofill.googleapis.com',
  'safebrowsing.googleapis.com',
  'safebrowsingohttpgateway.googleapis.com',
  'sb-ssl.google.com',
  'passwordsleakcheck-pa.googleapis.com',
  'chromewebstore.googleapis.com', // extension blocklist
  'chromefeedcontentsuggestions-pa.googleapis.com',
  'android.clients.google.com', // push registration
  'mtalk.google.com', // push channel
  'accounts.invalid', // where it is told to ask for accounts
]);

export const isBackgroundHost = (host: string): boolean => backgroundHosts.has(host);
