/**
 * Devices that a browser can pose as. What a page can see of each belongs together: a size without its user agent, or a user
 * agent without its client hints, is a device that does not exist.
 */
import type { Protocol } from 'devtools-protocol';

type Metadata = Protocol.Emulation.UserAgentMetadata;

interface DeviceData {
  viewport: { width: number; height: number; deviceScaleFactor: number };
  /** Heeds the viewport tag of pages, and turns with its sides. */
  mobile: boolean;
  /** Fingers that its screen can tell apart; 0: it has a mouse. */
  touchPoints: number;
  /** Of `navigator.platform`. */
  platform: string;
  userAgent(version: string): string;
  /** Absent: its own browser sends none. */
  hints?: Pick<Metadata, 'platform' | 'platformVersion' | 'architecture' | 'bitness' | 'model'>;
}

const chrome = (system: string, version: string, mobile = ''): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} ${mobile}Safari/537.36`;

const safari = (system: string): string =>
  `Mozilla/5.0 (${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`;

const table = {
  iphone: {
    viewport: { width: 393, height: 852, deviceScaleFactor: 3 },
    mobile: true,
    touchPoints: 5,
    platform: 'iPhone',
    userAgent: () => safari('iPhone; CPU iPhone OS 18_5'),
  },
  ipad: {
    viewport: { width: 820, height: 1180, deviceScaleFactor: 2 },
    mobile: true,
    touchPoints: 5,
    platform: 'iPad',
    userAgent: () => safari('iPad; CPU OS 18_5'),
  },
  pixel: {
    viewport: { width: 412, height: 923, deviceScaleFactor: 2.625 },
    mobile: true,
    touchPoints: 5,
    platform: 'Linux armv81',
    userAgent: (version) => chrome('Linux; Android 10; K', version, 'Mobile '),
    hints: {
      platform: 'Android',
      platformVersion: '16.0.0',
      architecture: '',
      bitness: '',
      model: 'Pixel 9',
    },
  },
  'android-tablet': {
    viewport: { width: 800, height: 1280, deviceScaleFactor: 2 },
    mobile: true,
    touchPoints: 5,
    platform: 'Linux armv81',
    userAgent: (version) => chrome('Linux; Android 10; K', version),
    hints: {
      platform: 'Android',
      platformVersion: '16.0.0',
      architecture: '',
      bitness: '',
      model: 'Pixel Tablet',
    },
  },
  macbook: {
    viewport: { width: 1440, height: 900, deviceScaleFactor: 2 },
    mobile: false,
    touchPoints: 0,
    platform: 'MacIntel',
    userAgent: (version) => chrome('Macintosh; Intel Mac OS X 10_15_7', version),
    hints: { platform: 'macOS', platformVersion: '15.5.0', architecture: 'arm', bitness: '64', model: '' },
  },
  desktop: {
    viewport: { width: 1920, height: 1080, deviceScaleFactor: 1 },
    mobile: false,
    touchPoints: 0,
    platform: 'Win32',
    userAgent: (version) => chrome('Windows NT 10.0; Win64; x64', version),
    hints: { platform: 'Windows', platformVersion: '19.0.0', architecture: 'x86', bitness: '64', model: '' },
  },
} as const satisfies Record<string, DeviceData>;

export type DeviceName = keyof typeof table;
export const deviceNames = Object.keys(table) as [DeviceName, ...DeviceName[]];
export const deviceNamed = (name: DeviceName): DeviceData => table[name];

/** What it says of itself, given the version of Chromium that stands in for it, such as 150.0.7871.100. */
export function identityOf(
  name: DeviceName,
  fullVersion: string,
): { userAgent: string; platform: string; userAgentMetadata?: Metadata } {
  const { userAgent, platform, hints, mobile } = deviceNamed(name);
  const [major = ''] = fullVersion.split('.');
  const agent = userAgent(`${major}.0.0.0`);
  if (!hints) return { userAgent: agent, platform };
  const brands = (version: string, grease: string) => [
    { brand: 'Chromium', version },
    { brand: 'Google Chrome', version },
    { brand: 'Not)A;Brand', version: grease },
  ];
  return {
    userAgent: agent,
    platform,
    userAgentMetadata: {
      brands: brands(major, '8'),
      fullVersionList: brands(fullVersion, '8.0.0.0'),
      fullVersion,
      ...hints,
      // Tablets call themselves no mobiles there, though their pages are laid out as on one.
      mobile: mobile && agent.includes('Mobile'),
      wow64: false,
    },
  };
}
