/** The device, screen, language, place, time zone and network that are emulated for a page, set on one target before it runs. */
import type { Cdp } from '../../chromium/chromium.ts';
import { networkBuffers } from '../network/network.ts';
import { fields } from '../record/field-schema.ts';
import {
  deviceNamed,
  type EmulatedName,
  emulatedNames,
  type Field,
  identityOf,
  type Settings,
  viewportOf,
} from '../record/record.ts';

export type Emulation = Pick<Settings, EmulatedName>;

/** What is asked for; where nothing is, the default of the field. */
export function emulationOf(asked: Partial<Emulation>): Emulation {
  const given = emulatedNames.map((name) => [
    name,
    name === 'viewport' ? viewportOf(asked) : (asked[name] ?? (fields[name] as Field).default),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Emulation;
}

export const defaultEmulation: Emulation = emulationOf({});

/** Of Chromium, as it calls itself. */
export interface OwnIdentity {
  userAgent: string;
  /** Such as 150.0.7871.100. */
  version: string;
}

/** What can be taken back: a page that was told of it once has to be told when that is over. */
export type Aspect = 'identity' | 'touch' | 'media' | 'network';

export function aspectsOf(emulation: Emulation): Aspect[] {
  const { device, userAgent, locale, colorScheme, reducedMotion, network } = emulation;
  const has: Record<Aspect, unknown> = {
    identity: device ?? userAgent ?? locale,
    touch: device && deviceNamed(device).touchPoints > 0,
    media: colorScheme ?? reducedMotion,
    network,
  };
  return (Object.keys(has) as Aspect[]).filter((aspect) => has[aspect]);
}

/** Whether frames and workers in processes of their own need it too; the viewport alone is the page's. */
export const reachesFrames = ({ locale, timezone, extraHeaders }: Emulation, told: ReadonlySet<Aspect>) =>
  told.size > 0 || Boolean(locale ?? timezone ?? extraHeaders);

export interface FrameEmulation {
  emulation: Emulation;
  told: ReadonlySet<Aspect>;
  own: OwnIdentity;
}

export interface PageEmulation extends FrameEmulation {
  /** What decides how large the page is. */
  sized: 'by its viewport' | 'by its window';
}

export async function emulatePage(cdp: Cdp, sessionId: string, page: PageEmulation): Promise<void> {
  const { geolocation } = page.emulation;
  await Promise.all([
    sizePage(cdp, sessionId, page),
    geolocation && cdp.send('Emulation.setGeolocationOverride', { ...geolocation }, { sessionId }),
    emulateFrame(cdp, sessionId, page),
  ]);
}

export async function sizePage(
  cdp: Cdp,
  sessionId: string,
  { emulation, sized }: Pick<PageEmulation, 'emulation' | 'sized'>,
): Promise<void> {
  const { width, height, deviceScaleFactor } = emulation.viewport;
  const mobile = emulation.device !== undefined && deviceNamed(emulation.device).mobile;
  const viewport = { width, height, screenWidth: width, screenHeight: height };
  // Zero: as the window has it.
  const window = { width: 0, height: 0 };
  const size = sized === 'by its viewport' ? viewport : window;
  if (size === window && deviceScaleFactor === 1 && !mobile)
    await cdp.send('Emulation.clearDeviceMetricsOverride', undefined, { sessionId });
  else
    await cdp.send(
      'Emulation.setDeviceMetricsOverride',
      {
        ...size,
        deviceScaleFactor,
        mobile,
        ...(mobile && { screenOrientation: turned(width > height) }),
      },
      { sessionId },
    );
}

const turned = (onItsSide: boolean) =>
  onItsSide
    ? { type: 'landscapePrimary' as const, angle: 90 }
    : { type: 'portraitPrimary' as const, angle: 0 };

/** The part that frames and workers share with the page. A worker lacks some of these commands: it keeps its page's. */
export async function emulateFrame(
  cdp: Cdp,
  sessionId: string,
  { emulation, told, own }: FrameEmulation,
): Promise<void> {
  const { locale, timezone, extraHeaders } = emulation;
  const calls: Promise<unknown>[] = [];
  // Headers are added and WebSockets are held by the network agent, which must be on for that; what it observes is not kept.
  if (extraHeaders || told.has('network'))
    calls.push(cdp.send('Network.enable', networkBuffers, { sessionId }));
  if (told.has('identity'))
    calls.push(cdp.send('Emulation.setUserAgentOverride', identity(emulation, own), { sessionId }));
  if (told.has('touch')) {
    const maxTouchPoints = emulation.device ? deviceNamed(emulation.device).touchPoints : 0;
    const touch = maxTouchPoints > 0 ? { enabled: true, maxTouchPoints } : { enabled: false };
    calls.push(cdp.send('Emulation.setTouchEmulationEnabled', touch, { sessionId }));
  }
  if (told.has('media'))
    calls.push(cdp.send('Emulation.setEmulatedMedia', { features: mediaOf(emulation) }, { sessionId }));
  if (told.has('network'))
    calls.push(cdp.send('Network.emulateNetworkConditions', conditions(emulation), { sessionId }));
  // Locale and time zone belong to the process: a second target of the same process is refused, rightly.
  if (locale) calls.push(cdp.send('Emulation.setLocaleOverride', { locale }, { sessionId }));
  if (timezone)
    calls.push(cdp.send('Emulation.setTimezoneOverride', { timezoneId: timezone }, { sessionId }));
  if (extraHeaders)
    calls.push(cdp.send('Network.setExtraHTTPHeaders', { headers: extraHeaders }, { sessionId }));
  await Promise.all(calls.map((call) => call.catch(() => undefined)));
}

/** A user agent that was asked for beats that of the device, whose client hints would give it the lie. */
function identity({ device, userAgent, locale }: Emulation, own: OwnIdentity) {
  const posed = device && identityOf(device, own.version);
  if (userAgent) return { userAgent, acceptLanguage: locale, platform: posed?.platform };
  // Empty: as Chromium has it.
  return { userAgent: locale ? own.userAgent : '', acceptLanguage: locale, ...posed };
}

/** An empty value: as Chromium has it. */
export const mediaOf = ({ colorScheme, reducedMotion }: Emulation) => [
  { name: 'prefers-color-scheme', value: colorScheme ?? '' },
  { name: 'prefers-reduced-motion', value: reducedMotion ?? '' },
];

const bytesPerSecond = (kbps: number | undefined): number => (kbps === undefined ? -1 : (kbps * 1000) / 8);

const conditions = ({
  network: { offline = false, latencyMs = 0, downloadKbps, uploadKbps } = {},
}: Emulation) => ({
  offline,
  latency: latencyMs,
  downloadThroughput: bytesPerSecond(downloadKbps),
  uploadThroughput: bytesPerSecond(uploadKbps),
});
