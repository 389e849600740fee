/** Paper and margins in inches, as Chromium wants them, and what it cannot print on. */
import { ApiError } from '../../errors.ts';
import { type Print, paperFormats } from './schema.ts';

const perInch: Record<string, number> = { px: 96, in: 1, cm: 2.54, mm: 25.4 };
/** On less than this Chromium prints for ever; more than this no reader shows. */
const shortest = 0.1;
export const longestInches = 200;

type Length = number | string;

export function inches(length: Length): number {
  const [, digits = '0', unit = 'px'] = /^([\d.]+)([a-z]*)$/.exec(String(length)) ?? [];
  return Number(digits) / (perInch[unit || 'px'] ?? 1);
}

const wrong = (path: string, reason: string): ApiError =>
  new ApiError('VALIDATION_FAILED', `\`${path}\` ${reason}.`, { details: { issues: [{ path, reason }] } });

export interface Paper {
  paperWidth: number;
  paperHeight: number;
  marginTop: number;
  marginRight: number;
  marginBottom: number;
  marginLeft: number;
}

export function paperOf({ format = 'letter', width, height, margin, landscape, scale }: Print): Paper {
  const [usualWidth, usualHeight] = paperFormats[format];
  const paperWidth = width === undefined ? usualWidth : inches(width);
  const paperHeight = height === undefined ? usualHeight : inches(height);
  for (const [path, side] of Object.entries({ width: paperWidth, height: paperHeight }))
    if (side < shortest || side > longestInches)
      throw wrong(path, `must be between ${shortest} and ${longestInches} inches (${shortest * 96}px)`);
  const { top = 0, right = 0, bottom = 0, left = 0 } = margin ?? {};
  const [across, down] = landscape ? [paperHeight, paperWidth] : [paperWidth, paperHeight];
  const least = shortest * Math.max(scale, 1);
  if (inches(left) + inches(right) > across - least || inches(top) + inches(bottom) > down - least)
    throw wrong(
      'margin',
      `leaves no room to print on: the page is ${across} × ${down} inches, and at least ${least} must stay`,
    );
  return {
    paperWidth,
    paperHeight,
    marginTop: inches(top),
    marginRight: inches(right),
    marginBottom: inches(bottom),
    marginLeft: inches(left),
  };
}

/** Chromium's own words about pages that are not there. */
export const wrongRanges = (reason: string): ApiError =>
  wrong('pageRanges', `cannot be printed: ${reason.toLowerCase()}`);
