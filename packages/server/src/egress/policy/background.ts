/**
 * Chromium calls its vendor's services even with background networking off. These hosts serve nothing but Chromium
 * itself, so they are refused without an event: no page asked. A host that pages use too is not listed, however often
 * Chromium calls it by itself (accounts.google.com, www.google.com, redirector.gvt1.com): inside TLS the two cannot be
 * distinguished, so the policy decides.
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
]);

export const isBackgroundHost = (host: string): boolean => backgroundHosts.has(host);
