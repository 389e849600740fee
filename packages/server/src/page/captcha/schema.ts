/** The captchas of a page and what became of them, as seen from outside. */
import { z } from 'zod';
import { solverNames } from '../../kit/captcha-solvers.ts';

const time = z.iso.datetime();

export const captchaTypes = [
  'recaptcha-v2',
  'recaptcha-v3',
  'hcaptcha',
  'cloudflare-turnstile',
  'altcha',
  'cap',
  'friendly-captcha',
  'geetest',
  'image',
  'unknown',
] as const;
export type CaptchaType = (typeof captchaTypes)[number];

const state = z.enum(['none', 'detected', 'solving', 'solved', 'failed']).meta({ id: 'CaptchaState' });
export type CaptchaState = z.output<typeof state>;
export const captchaStateSchema = z.strictObject({ state }).meta({
  description: 'Of the active tab; `none` also where the page does not answer, as `blocker` then says.',
});

const attemptSchema = z.strictObject({
  solver: z.enum(solverNames),
  outcome: z.enum(['solved', 'unconfirmed', 'failed', 'skipped']).meta({
    description: 'unconfirmed: an answer is in the page, and the page has not said what it thinks of it.',
  }),
  reason: z.string().optional(),
  durationMs: z.int(),
  cost: z.string().optional().meta({ description: 'What the provider charged, in its own currency.' }),
});

export const captchaItemSchema = z
  .strictObject({
    type: z.enum(captchaTypes),
    category: z.enum(['blocking', 'form']).meta({
      description: 'blocking: the page is nothing but the challenge. form: a part of a page.',
    }),
    state: z.enum(['detected', 'solving', 'solved', 'failed']).meta({
      description: 'solved: the page itself shows that it accepted.',
    }),
    sitekey: z.string().optional(),
    pageUrl: z.string(),
    tabId: z.string(),
    frameId: z.string(),
    detectedAt: time,
    resolvedAt: time.optional(),
    method: z
      .enum(solverNames)
      .optional()
      .meta({ description: 'The solver that did it, or that came furthest.' }),
    reason: z.string().optional().meta({ description: 'Why it is not solved.' }),
    evidence: z.array(z.string()).meta({ description: 'The elements of the page that showed it.' }),
    attempts: z.array(attemptSchema).optional().meta({ description: 'What was tried, in order.' }),
  })
  .meta({ id: 'Captcha' });

export const captchasSchema = z
  .strictObject({ state, items: z.array(captchaItemSchema) })
  .meta({ id: 'Captchas' });

const tabId = z.string().min(1).max(128).optional().meta({ description: 'Default: the active tab.' });

export const captchaQuery = z.strictObject({ tabId });

export const resolveCaptchaSchema = z
  .strictObject({
    timeoutMs: z
      .int()
      .min(1)
      .max(600_000)
      .default(120_000)
      .meta({ description: 'For all solvers together.' }),
    solver: z.enum(solverNames).optional().meta({ description: 'Only this one.' }),
    tabId,
  })
  .meta({ id: 'ResolveCaptcha' });

export type CaptchaItem = z.output<typeof captchaItemSchema>;
export type Captchas = z.output<typeof captchasSchema>;
export type CaptchaAttempt = z.output<typeof attemptSchema>;
export type ResolveCaptcha = z.output<typeof resolveCaptchaSchema>;
