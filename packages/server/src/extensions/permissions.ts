/**
 * What an extension may ask for. As with CDP methods, what is not listed is not allowed: a permission that a newer Chromium
 * brings stays closed until it is added here. The reasons are for those that callers are likely to miss.
 */
const allowed = new Set(
  `activeTab alarms bookmarks browsingData clipboardRead clipboardWrite contextMenus cookies declarativeContent
  declarativeNetRequest declarativeNetRequestFeedback declarativeNetRequestWithHostAccess favicon fontSettings geolocation
  history idle notifications offscreen pageCapture readingList scripting search sessions sidePanel storage tabGroups tabs
  topSites tts unlimitedStorage webNavigation webRequest`.split(/\s+/),
);

const reasons: Record<string, string> = {
  proxy:
    'it would choose another way to the network than the exit of its browser; give the browser a `proxy`',
  debugger: 'it would be a CDP client that passes no filter; use CDP, or a script',
  nativeMessaging: 'it would talk to programs outside of the browser',
  privacy: 'it would switch off what keeps WebRTC on the exit of its browser',
  downloads: 'its downloads would be in no list and obey no policy; let a page download instead',
  management: 'it would have a say over other extensions',
  contentSettings: 'it would grant sites what `permissions` of the browser decide',
  desktopCapture: 'there is no desktop',
  tabCapture: 'there is no toolbar to start it from; use recordings or screenshots',
  userScripts: 'it would run code that was not uploaded; put the code into the extension',
  identity: 'there is no account to sign in with',
  webRequestBlocking: 'Chromium has it for extensions of a company’s policy only; use declarativeNetRequest',
  webRequestAuthProvider: 'it would answer the passwords that `httpCredentials` are for',
  background: 'Chromium is ended with its browser',
};

export function permissionRefusal(permission: string): string | undefined {
  if (allowed.has(permission)) return undefined;
  return Object.hasOwn(reasons, permission) ? reasons[permission] : 'it is not among those that are allowed';
}

export const allowedPermissions: readonly string[] = [...allowed];
