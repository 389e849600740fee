/**
 * How Chromium is started: lean (no background work of its own), and with the egress proxy as the
 * only way out. Playwright's default set is deliberately not copied: it turns the sandbox off.
 */
import type { Engine } from '../../kit/engine.ts';

export interface FlagOptions {
  engine: Engine;
  profileDir: string;
  proxyUrl: string;
  /** In a network namespace of its own, where all of loopback is the exit. */
  boxed: boolean;
  sandbox: boolean;
  trustedKeyHash?: string | undefined;
  /** Whether extensions are loaded over the pipe. */
  extensions?: boolean | undefined;
}

const quiet = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--no-service-autorun',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
];

/** Pages behave the same however many browsers run and whichever tab is in front. */
const steady = [
  '--disable-back-forward-cache',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-gpu-shader-disk-cache',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disk-cache-size=104857600',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--hide-scrollbars',
  '--mute-audio',
  '--enable-unsafe-swiftshader',
];

/** Without `<-loopback>` Chromium reaches loopback and link-local addresses directly. */
const onlyExit = ({ engine, proxyUrl, boxed, trustedKeyHash }: FlagOptions): string[] => [
  `--proxy-server=${proxyUrl}`,
  '--proxy-bypass-list=<-loopback>',
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${boxed ? '127.*' : '127.0.0.1'}`,
  // The two engines know this under different names, and each ignores the other's.
  `--${engine === 'shell' ? 'force-' : ''}webrtc-ip-handling-policy=disable_non_proxied_udp`,
  '--disable-quic',
  // The exit's own, for sites whose certificates it has checked itself. Chromium would say so in a bar, but not in a kiosk.
  ...(trustedKeyHash ? [`--ignore-certificate-errors-spki-list=${trustedKeyHash}`] : []),
];

const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'SpareRendererForSitePerProcess',
  'Translate',
  'WebUIOmnibox',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

const wholeChromium = [
  '--headless=new',
  // It composes a window that is never seen; full screen halves what a page costs.
  '--kiosk',
  // A camera and a microphone; permissions decide whether a page may use them. The shell has no way to ask, and knows none.
  '--use-fake-device-for-media-stream',
  // As soon as it is online it asks for the accounts that are signed in, again and again, from a host that pages use too. A
  // host of this name does not exist, and the exit knows it.
  '--gaia-url=https://accounts.invalid',
];

export function chromiumFlags(options: FlagOptions): string[] {
  return [
    ...(options.engine === 'full' ? wholeChromium : ['--headless']),
    '--remote-debugging-pipe',
    `--user-data-dir=${options.profileDir}`,
    '--window-size=1280,720',
    ...quiet,
    ...steady,
    ...onlyExit(options),
    `--disable-features=${disabledFeatures.join(',')}`,
    // Chromium takes it over a pipe only, and the filter has no such command for clients.
    ...(options.extensions ? ['--enable-unsafe-extension-debugging'] : []),
    ...(options.sandbox ? [] : ['--no-sandbox']),
    'about:blank',
  ];
}
