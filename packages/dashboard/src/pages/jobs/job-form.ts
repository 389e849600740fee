/** The form of a new job, and its request: only what was filled in, so that the service applies its defaults. */
import type { NewJob } from '@browserd/sdk';

export type Kind = NewJob['kind'];

export interface JobForm {
  kind: Kind;
  name: string;
  url: string;
  /** An address a line. */
  addresses: string;
  action: 'scrape' | 'screenshot' | 'pdf';
  maxPages: string;
  maxDepth: string;
  include: string;
  exclude: string;
  concurrency: string;
  /** JSON: fields of the quick action, for every page. */
  options: string;
}

export const emptyJob: JobForm = {
  kind: 'crawl',
  name: '',
  url: '',
  addresses: '',
  action: 'scrape',
  maxPages: '',
  maxDepth: '',
  include: '',
  exclude: '',
  concurrency: '',
  options: '',
};

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const isIncomplete = ({ kind, url, addresses }: JobForm): boolean =>
  (kind === 'batch' ? linesOf(addresses).length : url.trim().length) === 0;

/** Why the options cannot be sent; undefined if they can. */
export function optionsTrouble(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  } catch {
    // said below
  }
  return 'This must be a JSON object.';
}

const text = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: value.trim() });
const number = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: Number(value) });
const lines = (name: string, value: string) => {
  const list = linesOf(value);
  return list.length === 0 ? {} : { [name]: list };
};

export function jobOf(form: JobForm): NewJob {
  const options =
    form.options.trim() === '' ? {} : { options: JSON.parse(form.options) as Record<string, unknown> };
  const run = { ...text('name', form.name), ...number('concurrency', form.concurrency), ...options };
  if (form.kind === 'batch') {
    const items = linesOf(form.addresses).map((url) => ({ url }));
    return { kind: 'batch', items, action: form.action, ...run };
  }
  const site = {
    url: form.url.trim(),
    ...number('maxPages', form.maxPages),
    ...number('maxDepth', form.maxDepth),
    ...lines('include', form.include),
    ...lines('exclude', form.exclude),
    ...run,
  };
  return form.kind === 'map' ? { kind: 'map', ...site } : { kind: 'crawl', action: form.action, ...site };
}
