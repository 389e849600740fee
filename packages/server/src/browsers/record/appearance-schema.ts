/** The fields of a create that say how a browser looks to the pages it visits, whatever it is made for. */
import { z } from 'zod';
import { masked } from '../../kit/mask-headers.ts';
import { deviceNamed, deviceNames } from './devices.ts';
import type { Field } from './field.ts';

const viewportSchema = z.strictObject({
  width: z.int().min(1).max(10_000).default(1280),
  height: z.int().min(1).max(10_000).default(720),
  deviceScaleFactor: z.number().min(0.1).max(10).default(1),
});

const cookieSchema = z
  .strictObject({
    name: z.string().min(1).max(4096),
    value: z.string().max(4096),
    url: z.url().optional(),
    domain: z.string().min(1).max(253).optional(),
    path: z.string().max(1024).optional(),
    expires: z
      .number()
      .optional()
      .meta({ description: 'Seconds since 1970; absent or -1 for a session cookie.' }),
    httpOnly: z.boolean().optional(),
    secure: z.boolean().optional(),
    sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
  })
  .refine((cookie) => cookie.url !== undefined || cookie.domain !== undefined, {
    message: 'a cookie needs `url` or `domain`',
  });

/** Valid is what the platform itself accepts. */
const accepts =
  (make: (value: string) => unknown) =>
  (value: string): boolean => {
    try {
      return Boolean(make(value));
    } catch {
      return false;
    }
  };

const isLocale = accepts((tag) => Intl.getCanonicalLocales(tag)[0]);
const isTimezone = accepts((timeZone) => new Intl.DateTimeFormat('en', { timeZone }));

const sizeOf = (name: (typeof deviceNames)[number]): string => {
  const { width, height, deviceScaleFactor } = deviceNamed(name).viewport;
  return `\`${name}\` ${width}×${height}@${deviceScaleFactor}`;
};
const deviceName = z.enum(deviceNames).meta({
  description: `Poses as this device: viewport, touch, mobile layout, user agent and client hints. A \`viewport\` or \`userAgent\` beside it beats its own. ${deviceNames.map(sizeOf).join(', ')}.`,
});
const colorScheme = z.enum(['light', 'dark']).meta({ description: 'What `prefers-color-scheme` says.' });
const reducedMotion = z
  .enum(['reduce', 'no-preference'])
  .meta({ description: 'What `prefers-reduced-motion` says.' });

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export const appearance = {
  device: {
    create: deviceName.optional(),
    patch: deviceName.nullable().optional().meta({
      description: 'null: no device. The viewport changes with it, unless one is given as well.',
    }),
    shown: z.enum(deviceNames).optional(),
    emulated: true,
  },
  viewport: {
    create: viewportSchema.optional(),
    patch: viewportSchema.optional(),
    shown: z.strictObject({ width: z.int(), height: z.int(), deviceScaleFactor: z.number() }),
    default: { width: 1280, height: 720, deviceScaleFactor: 1 },
    emulated: true,
  },
  userAgent: {
    create: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[\x20-\x7e]+$/, 'printable ASCII only')
      .optional(),
    shown: z.string().optional(),
    emulated: true,
  },
  locale: {
    create: z
      .string()
      .max(64)
      .refine(isLocale, { message: 'not a BCP 47 language tag, such as de-DE' })
      .optional(),
    shown: z.string().optional(),
    emulated: true,
  },
  timezone: {
    create: z
      .string()
      .max(64)
      .refine(isTimezone, { message: 'not an IANA time zone, such as Europe/Berlin' })
      .optional(),
    shown: z.string().optional(),
    emulated: true,
  },
  colorScheme: {
    create: colorScheme.optional(),
    patch: colorScheme.nullable().optional().meta({ description: 'null: as Chromium has it.' }),
    shown: colorScheme.optional(),
    emulated: true,
  },
  reducedMotion: {
    create: reducedMotion.optional(),
    patch: reducedMotion.nullable().optional().meta({ description: 'null: as Chromium has it.' }),
    shown: reducedMotion.optional(),
    emulated: true,
  },
  extraHeaders: {
    create: z
      .record(
        z.string().regex(headerName, 'not a header name').max(128),
        z
          .string()
          .max(8192)
          .regex(/^[^\r\n\0]*$/)
          .refine((value) => value !== masked, {
            message: `${masked} stands for a value that is not shown: send the value itself`,
          }),
      )
      .optional()
      .meta({ description: 'Sent with every request of every page.' }),
    shown: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: `Values of \`Authorization\`, \`Cookie\`, \`Proxy-Authorization\` and of names that look like keys are shown as \`${masked}\`.`,
      }),
    emulated: true,
  },
  cookies: { create: z.array(cookieSchema).max(3000).optional() },
} as const satisfies Record<string, Field>;
