/** How a browser looks and where it may go: the options that a kept browser and a quick action have in common. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import { wrongUsage } from '../failure.ts';
import { jsonFile, jsonObjectFile, pair, several, type Viewport, viewport } from './option-values.ts';

export interface SettingsOptions {
  device?: api.CreateBrowser['device'];
  viewport?: Viewport;
  colorScheme?: api.CreateBrowser['colorScheme'];
  reducedMotion?: boolean;
  userAgent?: string;
  locale?: string;
  timezone?: string;
  proxy?: string;
  header?: Record<string, string>;
  cookies?: unknown;
  allowDomain?: string[];
  blockDomain?: string[];
  allowPrivate?: string[];
  rules?: unknown;
  list?: string[];
  consent?: 'decline';
  from?: Record<string, unknown>;
}

/** How dialogs of pages are answered. */
export const dialogsOption = (): Option =>
  new Option('--dialogs <how>', 'how dialogs of pages are answered').choices(['dismiss', 'accept', 'manual']);

export const devices = ['iphone', 'ipad', 'pixel', 'android-tablet', 'macbook', 'desktop'];

const deviceOption = (): Option =>
  new Option('--device <name>', 'pose as this device: size, touch, user agent').choices(devices);
const colorSchemeOption = (): Option =>
  new Option('--color-scheme <scheme>', 'the one that pages are told the user prefers').choices([
    'light',
    'dark',
  ]);

export const takesSettings = (command: Command): Command =>
  command
    .addOption(deviceOption())
    .option('--viewport <size>', 'WIDTHxHEIGHT, or with the pixel ratio: 390x844@3', viewport)
    .addOption(colorSchemeOption())
    .option('--reduced-motion', 'pages are told that the user wants less motion')
    .option('--user-agent <text>', 'what the browser calls itself')
    .option('--locale <tag>', 'such as en-GB')
    .option('--timezone <name>', 'such as Europe/Berlin')
    .option('--proxy <url>', 'http, https or socks5, with user:password@ where needed')
    .option('--header <name=value>', 'sent with every request; may be repeated', pair)
    .option('--cookies <file>', 'a JSON file with a list of cookies', jsonFile)
    .option('--allow-domain <host>', 'visit only these hosts and their subdomains; may be repeated', several)
    .option('--block-domain <host>', 'never visit these; may be repeated', several)
    .option(
      '--allow-private <target>',
      'reach private addresses: localhost, a host, or a range such as 10.0.0.0/8; may be repeated',
      several,
    )
    .option('--rules <file>', 'a JSON file with a list of rules for requests', jsonFile)
    .option('--list <name>', 'block what this filter list of the service names; may be repeated', several)
    .addOption(new Option('--consent <how>', 'what becomes of cookie banners').choices(['decline']))
    .option('--from <file>', 'a JSON file with any settings of the API; options win over it', jsonObjectFile);

export type CommonSettings = Pick<
  api.CreateBrowser,
  | 'device'
  | 'viewport'
  | 'colorScheme'
  | 'reducedMotion'
  | 'userAgent'
  | 'locale'
  | 'timezone'
  | 'proxy'
  | 'extraHeaders'
  | 'cookies'
  | 'policy'
>;

export function settingsFrom(options: SettingsOptions): CommonSettings {
  insistOnList('--cookies', options.cookies, '[{"name": "…", "value": "…", "url": "https://…"}]');
  insistOnList('--rules', options.rules, '[{"match": {"host": "…"}, "do": {"action": "block"}}]');
  const base = (options.from ?? {}) as CommonSettings;
  const policy = policyFrom(options);
  const given: CommonSettings = {
    device: options.device,
    viewport: options.viewport,
    colorScheme: options.colorScheme,
    reducedMotion: options.reducedMotion ? 'reduce' : undefined,
    userAgent: options.userAgent,
    locale: options.locale,
    timezone: options.timezone,
    proxy: options.proxy,
    extraHeaders: options.header,
    cookies: options.cookies as CommonSettings['cookies'],
    policy: policy && { ...base.policy, ...policy },
  };
  return { ...base, ...withoutGaps(given) };
}

function insistOnList(option: string, value: unknown, example: string): void {
  if (value !== undefined && !Array.isArray(value))
    throw wrongUsage(`The file of ${option} must hold a list: ${example}`);
}

/** Without fields that were not set, which would hide those from a file. */
export const withoutGaps = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

function policyFrom(options: SettingsOptions): api.Policy | undefined {
  const { allowDomain, blockDomain, allowPrivate, rules, list, consent } = options;
  const policy = withoutGaps<api.Policy>({
    allowedDomains: allowDomain,
    blockedDomains: blockDomain,
    privateAccess: allowPrivate && privateAccess(allowPrivate),
    rules: rules as api.Policy['rules'],
    lists: list,
    consent,
  });
  return Object.keys(policy).length > 0 ? policy : undefined;
}

function privateAccess(targets: string[]): Exclude<api.Policy['privateAccess'], false | undefined> {
  const cidrs = targets.filter((target) => target.includes('/'));
  const domains = targets.filter((target) => target !== 'localhost' && !target.includes('/'));
  return {
    ...(targets.includes('localhost') && { localhost: true }),
    ...(cidrs.length > 0 && { cidrs }),
    ...(domains.length > 0 && { domains }),
  };
}
