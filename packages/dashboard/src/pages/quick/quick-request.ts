/** The form of a quick action, and its request: only what was filled in, so that the service applies its defaults. */
import type { api } from '@browserd/sdk';

export type Action = 'scrape' | 'screenshot' | 'pdf';

export interface QuickForm {
  action: Action;
  source: 'url' | 'html';
  url: string;
  html: string;
  waitFor: string;
  timeoutMs: string;
  blockResources: ReadonlySet<Resource>;
  scrape: {
    format: 'markdown' | 'html' | 'text' | 'json';
    mainContent: boolean;
    selector: string;
    include: ReadonlySet<Extra>;
  };
  screenshot: {
    format: 'png' | 'jpeg' | 'webp';
    fullPage: boolean;
    selector: string;
    omitBackground: boolean;
  };
  pdf: { format: Paper; landscape: boolean; printBackground: boolean; pageRanges: string };
  /** JSON that is merged into the request: viewport, cookies, policy, proxy, extract, … */
  more: string;
}

export const resources = ['image', 'font', 'media', 'stylesheet'] as const;
export const extras = ['links', 'headings', 'forms', 'images', 'metadata', 'tables'] as const;
export const papers = ['letter', 'legal', 'tabloid', 'a3', 'a4', 'a5'] as const;
type Resource = (typeof resources)[number];
type Extra = (typeof extras)[number];
type Paper = (typeof papers)[number];

export const emptyQuick: QuickForm = {
  action: 'scrape',
  source: 'url',
  url: '',
  html: '',
  waitFor: '',
  timeoutMs: '',
  blockResources: new Set(),
  scrape: { format: 'markdown', mainContent: true, selector: '', include: new Set() },
  screenshot: { format: 'png', fullPage: false, selector: '', omitBackground: false },
  pdf: { format: 'a4', landscape: false, printBackground: true, pageRanges: '' },
  more: '',
};

/** Why it cannot be sent, by field. */
export function troublesOf({ source, url, html, more }: QuickForm): { page?: string; more?: string } {
  const page = (source === 'url' ? url : html).trim() === '';
  return {
    ...(page && { page: source === 'url' ? 'An address is needed.' : 'Some HTML is needed.' }),
    ...(!isObject(more) && { more: 'This must be a JSON object.' }),
  };
}

const isObject = (text: string): boolean => {
  if (text.trim() === '') return true;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

export type QuickBody = api.QuickScrape & api.QuickScreenshot & api.QuickPdf;

export function bodyOf(form: QuickForm): QuickBody {
  const { action, source, url, html, waitFor, timeoutMs, blockResources, more } = form;
  return {
    ...(source === 'url' ? { url: withScheme(url.trim()) } : { html }),
    ...(waitFor.trim() !== '' && {
      waitFor: /^\d+$/.test(waitFor.trim()) ? Number(waitFor) : waitFor.trim(),
    }),
    ...(Number(timeoutMs) > 0 && { timeoutMs: Number(timeoutMs) }),
    ...(blockResources.size > 0 && { blockResources: [...blockResources] }),
    ...wanted[action](form),
    ...(more.trim() !== '' && (JSON.parse(more) as object)),
  } as QuickBody;
}

const wanted: Record<Action, (form: QuickForm) => object> = {
  scrape: ({ scrape: { format, mainContent, selector, include } }) => ({
    format,
    mainContent,
    ...(selector.trim() !== '' && { selector: selector.trim() }),
    ...(include.size > 0 && { include: [...include] }),
  }),
  screenshot: ({ screenshot: { format, fullPage, selector, omitBackground } }) => ({
    format,
    ...(fullPage && { fullPage }),
    ...(selector.trim() !== '' && { selector: selector.trim() }),
    ...(omitBackground && { omitBackground }),
  }),
  pdf: ({ pdf: { pageRanges, ...pdf } }) => ({
    ...pdf,
    ...(pageRanges.trim() !== '' && { pageRanges: pageRanges.trim() }),
  }),
};

/** Completes an address like an address bar. */
const withScheme = (url: string): string =>
  /^[a-z][a-z\d+.-]*:/i.test(url) && !/^[^/]+:\d+(\/|$)/.test(url) ? url : `https://${url}`;
