/**
 * The form of a new browser, as a table. Each field is named by its path in the request, so that an error at that path is
 * shown at that field.
 */
interface Named {
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
}
export type FormField = Named &
  (
    | { kind: 'text' | 'password' | 'number' | 'duration' }
    /** One entry per line. */
    | { kind: 'list' }
    /** `name: value`, one per line. */
    | { kind: 'pairs' }
    | { kind: 'json' }
    | { kind: 'check' }
    | { kind: 'choice'; choices: readonly { value: string; label: string }[] }
  );
export interface FormSection {
  title: string;
  about: string;
  /** In rows of one or two. */
  rows: readonly (readonly FormField[])[];
}

const choice = (value: string, label: string) => ({ value, label });
const modes = [choice('', 'Allowed'), choice('deny', 'Blocked')];

export const basics: FormSection = {
  title: 'Basics',
  about: '',
  rows: [
    [
      { name: 'name', label: 'Name', kind: 'text', placeholder: 'checkout' },
      { name: 'startUrl', label: 'Start URL', kind: 'text', placeholder: 'https://example.com' },
    ],
    [
      {
        name: 'engine',
        label: 'Engine',
        kind: 'choice',
        choices: [
          choice('', 'Server default'),
          choice('shell', 'Headless shell (lighter)'),
          choice('full', 'Full Chromium'),
        ],
      },
      {
        name: 'dialogs',
        label: 'Page dialogs',
        kind: 'choice',
        choices: [choice('', 'Dismiss'), choice('accept', 'Accept'), choice('manual', 'Ask me')],
      },
    ],
    [
      {
        name: 'recording',
        label: 'Record a video',
        kind: 'check',
        hint: 'You get one recording each time the browser runs.',
      },
    ],
  ],
};

export const more: readonly FormSection[] = [
  {
    title: 'Limits',
    about: 'idle time, lifetime, memory, queue',
    rows: [
      [
        {
          name: 'idleTimeout',
          label: 'Stop when idle for',
          kind: 'duration',
          placeholder: 'never',
          hint: 'For example 90s, 30m or 2h.',
        },
        { name: 'maxDuration', label: 'Close after', kind: 'duration', placeholder: '1d' },
      ],
      [
        {
          name: 'memoryMb',
          label: 'Memory limit, MiB',
          kind: 'number',
          placeholder: 'server default',
          hint: 'At least 256. Above the limit, the page that uses the most memory is ended.',
        },
        {
          name: 'wait',
          label: 'Wait in the queue for up to',
          kind: 'duration',
          placeholder: 'don’t wait',
          hint: 'Used when all browsers are taken. At most 10m.',
        },
      ],
    ],
  },
  {
    title: 'Profile',
    about: 'start signed in',
    rows: [
      [
        {
          name: 'profile.name',
          label: 'Profile',
          kind: 'text',
          placeholder: 'github',
          hint: 'The name of a saved profile. The browser gets a copy of it.',
        },
        {
          name: 'profile.save',
          label: 'Save into it',
          kind: 'choice',
          choices: [choice('', 'Never'), choice('close', 'When it closes'), choice('always', 'Always')],
        },
      ],
    ],
  },
  {
    title: 'Network policy',
    about: 'what the browser may reach',
    rows: [
      [
        {
          name: 'policy.allowedDomains',
          label: 'Allowed hosts',
          kind: 'list',
          placeholder: 'example.com',
          hint: 'One per line; subdomains are included. Leave empty to allow all public hosts.',
        },
        {
          name: 'policy.blockedDomains',
          label: 'Blocked hosts',
          kind: 'list',
          placeholder: 'ads.example.com',
        },
      ],
      [
        {
          name: 'policy.privateAccess.domains',
          label: 'Private hosts',
          kind: 'list',
          placeholder: 'intranet.example.com',
        },
        {
          name: 'policy.privateAccess.cidrs',
          label: 'Private addresses',
          kind: 'list',
          placeholder: '10.0.0.0/8',
        },
      ],
      [
        {
          name: 'policy.privateAccess.localhost',
          label: 'Allow localhost',
          kind: 'check',
          hint: 'Other services on the server’s own machine, but never browserd itself.',
        },
      ],
      [
        { name: 'policy.downloads.mode', label: 'Downloads', kind: 'choice', choices: modes },
        { name: 'policy.uploads.mode', label: 'Uploads', kind: 'choice', choices: modes },
      ],
      [
        {
          name: 'policy.rules',
          label: 'Request rules (JSON)',
          kind: 'json',
          placeholder: '[{"match": {"type": "image"}, "do": {"action": "block"}}]',
          hint: 'A list, applied in its order.',
        },
        {
          name: 'policy.lists',
          label: 'Filter lists',
          kind: 'list',
          placeholder: 'ads',
          hint: 'Names of lists that the operator provides.',
        },
      ],
    ],
  },
  {
    title: 'Proxy',
    about: 'route traffic through another server',
    rows: [
      [{ name: 'proxy.server', label: 'Server', kind: 'text', placeholder: 'http://proxy.example.com:3128' }],
      [
        { name: 'proxy.username', label: 'Username', kind: 'text' },
        { name: 'proxy.password', label: 'Password', kind: 'password' },
      ],
      [{ name: 'proxy.bypass', label: 'Bypass for these hosts', kind: 'list' }],
    ],
  },
  {
    title: 'Appearance',
    about: 'viewport, language, location',
    rows: [
      [
        {
          name: 'device',
          label: 'Device',
          kind: 'choice',
          hint: 'Sets size, touch, user agent and client hints.',
          choices: [
            choice('', 'None'),
            choice('iphone', 'iPhone'),
            choice('ipad', 'iPad'),
            choice('pixel', 'Pixel'),
            choice('android-tablet', 'Android tablet'),
            choice('macbook', 'MacBook'),
            choice('desktop', 'Desktop'),
          ],
        },
        {
          name: 'colorScheme',
          label: 'Color scheme',
          kind: 'choice',
          choices: [choice('', 'Browser default'), choice('light', 'Light'), choice('dark', 'Dark')],
        },
      ],
      [
        { name: 'viewport.width', label: 'Width', kind: 'number', placeholder: '1280' },
        { name: 'viewport.height', label: 'Height', kind: 'number', placeholder: '720' },
        { name: 'viewport.deviceScaleFactor', label: 'Scale', kind: 'number', placeholder: '1' },
      ],
      [
        { name: 'locale', label: 'Locale', kind: 'text', placeholder: 'en-US' },
        { name: 'timezone', label: 'Time zone', kind: 'text', placeholder: 'Europe/Berlin' },
      ],
      [
        { name: 'geolocation.latitude', label: 'Latitude', kind: 'number' },
        { name: 'geolocation.longitude', label: 'Longitude', kind: 'number' },
      ],
      [{ name: 'userAgent', label: 'User agent', kind: 'text' }],
    ],
  },
  {
    title: 'Metadata and headers',
    about: 'labels for the list, headers for every request',
    rows: [
      [
        {
          name: 'metadata',
          label: 'Metadata',
          kind: 'pairs',
          placeholder: 'team: red',
          hint: 'One per line. You can search the list by metadata.',
        },
        {
          name: 'extraHeaders',
          label: 'Extra request headers',
          kind: 'pairs',
          placeholder: 'x-trace: 1',
        },
      ],
    ],
  },
];

export const fieldsOf = ({ rows }: FormSection): readonly FormField[] => rows.flat();
export const allFields: readonly FormField[] = [basics, ...more].flatMap(fieldsOf);
