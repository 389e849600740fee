/** What a page believes about its screen, language, place and time, applied to one target before it runs. */
import type { Cdp } from '../../chromium/chromium.ts';
import { networkBuffers } from '../network/network.ts';
import { type Field, fields } from '../record/field-schema.ts';
import { type EmulatedName, emulatedNames, type Settings } from '../record/record.ts';

export type Emulation = Pick<Settings, EmulatedName>;

/** What is asked for; where nothing is, the default of the field. */
export function emulationOf(asked: Partial<Emulation>): Emulation {
  const given = emulatedNames.map((name) => [name, asked[name] ?? (fields[name] as Field).default]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Emulation;
}

export const defaultEmulation: Emulation = emulationOf({});

/** Whether frames and workers in processes of their own need it too; the viewport alone is the page's. */
export const reachesFrames = (emulation: Emulation): boolean =>
  Boolean(emulation.userAgent ?? emulation.locale ?? emulation.timezone ?? emulation.extraHeaders);

export interface PageEmulation {
  emulation: Emulation;
  /** What decides how large the page is. */
  sized: 'by its viewport' | 'by its window';
}

export async function emulatePage(
  cdp: Cdp,
  sessionId: string,
  { emulation, sized }: PageEmulation,
  baseUserAgent: string,
): Promise<void> {
  const { width, height, deviceScaleFactor } = emulation.viewport;
  const viewport = { width, height, screenWidth: width, screenHeight: height };
  // Zero: as the window has it.
  const window = { width: 0, height: 0 };
  const size = sized === 'by its viewport' ? viewport : window;
  await Promise.all([
    size === window && deviceScaleFactor === 1
      ? cdp.send('Emulation.clearDeviceMetricsOverride', undefined, { sessionId })
      : cdp.send(
          'Emulation.setDeviceMetricsOverride',
          { ...size, deviceScaleFactor, mobile: false },
          { sessionId },
        ),
    emulation.geolocation &&
      cdp.send('Emulation.setGeolocationOverride', { ...emulation.geolocation }, { sessionId }),
    emulateFrame(cdp, sessionId, emulation, baseUserAgent),
  ]);
}

/** The part that frames and workers share with the page. A worker lacks some of these commands: it keeps its page's. */
export async function emulateFrame(
  cdp: Cdp,
  sessionId: string,
  emulation: Emulation,
  baseUserAgent: string,
): Promise<void> {
  const { userAgent, locale, timezone, extraHeaders } = emulation;
  const calls: Promise<unknown>[] = [];
  if (userAgent || locale)
    calls.push(
      cdp.send(
        'Emulation.setUserAgentOverride',
        { userAgent: userAgent ?? baseUserAgent, acceptLanguage: locale },
        { sessionId },
      ),
    );
  // Locale and time zone belong to the process: a second target of the same process is refused, rightly.
  if (locale) calls.push(cdp.send('Emulation.setLocaleOverride', { locale }, { sessionId }));
  if (timezone)
    calls.push(cdp.send('Emulation.setTimezoneOverride', { timezoneId: timezone }, { sessionId }));
  // Headers are added by the network agent, which must be on for that.
  if (extraHeaders)
    calls.push(
      cdp.send('Network.enable', networkBuffers, { sessionId }),
      cdp.send('Network.setExtraHTTPHeaders', { headers: extraHeaders }, { sessionId }),
    );
  await Promise.all(calls.map((call) => call.catch(() => undefined)));
}
