/**
 * How the services that speak createTask/getTaskResult name their tasks, and where the answer of each belongs. They
 * agree on most; what one of them names otherwise stands in its own row, found by the host of its address.
 */
import type { CaptchaType } from '../schema.ts';
import type { Sighting } from '../sight.ts';

interface TaskRow {
  task: string;
  /** The names of the fields that carry the answer. */
  fields: string[];
  keyName?: string;
}

const common: Partial<Record<CaptchaType, TaskRow>> = {
  'recaptcha-v2': { task: 'RecaptchaV2TaskProxyless', fields: ['g-recaptcha-response'] },
  'recaptcha-v3': { task: 'RecaptchaV3TaskProxyless', fields: ['g-recaptcha-response'] },
  hcaptcha: { task: 'HCaptchaTaskProxyless', fields: ['h-captcha-response', 'g-recaptcha-response'] },
  'cloudflare-turnstile': { task: 'TurnstileTaskProxyless', fields: ['cf-turnstile-response'] },
  'friendly-captcha': {
    task: 'FriendlyCaptchaTaskProxyless',
    fields: ['frc-captcha-solution', 'frc-captcha-response'],
  },
  image: { task: 'ImageToTextTask', fields: [] },
};

const ofHost: Record<string, Partial<Record<CaptchaType, string>>> = {
  'capsolver.com': {
    'recaptcha-v2': 'ReCaptchaV2TaskProxyLess',
    'recaptcha-v3': 'ReCaptchaV3TaskProxyLess',
    'cloudflare-turnstile': 'AntiTurnstileTaskProxyLess',
  },
  'capmonster.cloud': { 'cloudflare-turnstile': 'TurnstileTask' },
};

export const providerTypes = Object.keys(common) as CaptchaType[];
export const fieldsOf = (type: CaptchaType): string[] => common[type]?.fields ?? [];

export function taskFor(providerUrl: string, sighting: Sighting, picture?: Buffer): Record<string, unknown> {
  const { type, sitekey, frame, invisible, action } = sighting;
  const host = new URL(providerUrl).hostname;
  const names = Object.entries(ofHost).find(([own]) => host === own || host.endsWith(`.${own}`))?.[1];
  const task = names?.[type] ?? common[type]?.task;
  if (type === 'image') return { type: task, body: picture?.toString('base64') };
  return {
    type: task,
    websiteURL: frame.url,
    websiteKey: sitekey,
    ...(type === 'recaptcha-v2' && invisible && { isInvisible: true }),
    ...(type === 'recaptcha-v3' && { minScore: 0.3, pageAction: action ?? 'verify' }),
    ...(type === 'cloudflare-turnstile' && action && { action }),
  };
}

interface Solution {
  gRecaptchaResponse?: unknown;
  token?: unknown;
  text?: unknown;
}

/** The services name the same thing differently. */
export function answerIn(solution: unknown): string | undefined {
  const { gRecaptchaResponse, token, text } = (solution ?? {}) as Solution;
  return [gRecaptchaResponse, token, text].find(
    (each): each is string => typeof each === 'string' && each !== '',
  );
}
