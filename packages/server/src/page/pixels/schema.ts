/** What may be asked of the pixels of a picture once it is taken, and what a comparison tells. */
import { z } from 'zod';

export const pixelFields = {
  optimize: z.boolean().default(false).meta({
    description:
      'Packs the PNG as small as it goes without losing anything, which takes longer than taking it. Of png.',
  }),
  baseline: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({
      description:
        'The id of a file of the project, a PNG: the picture is compared with it, and the answer is JSON that says how much differs, with the picture and a picture of the difference. Of png.',
      examples: ['file_01ja9q4m8h2f7t3k5w6x8y0z1a'],
    }),
  threshold: z.number().min(0).max(1).optional().meta({
    description: 'Share of the compared pixels that may differ for `matches` to be true. Default: 0.',
  }),
  ignore: z.array(z.string().min(1).max(4096)).max(50).optional().meta({
    description:
      'CSS selectors of what is not compared, such as dates and adverts: the boxes that their elements have now are left out of both pictures. Also in open shadow roots.',
  }),
};

const pixelShape = z.strictObject(pixelFields);
/** Whatever was asked for of a picture's pixels. */
export type PixelWishes = Partial<z.output<typeof pixelShape>>;

export function checkPixels(
  asked: PixelWishes & { format: string; selectors?: string[]; include?: readonly string[] },
  context: z.RefinementCtx,
): void {
  const wrong = (path: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { format, optimize, baseline, selectors, include = [] } = asked;
  if (optimize && format !== 'png')
    wrong('optimize', `is of png; a ${format} is as small as its quality makes it`);
  if (baseline === undefined) {
    for (const name of ['threshold', 'ignore'] as const)
      if (asked[name] !== undefined) wrong(name, 'is of a comparison, and there is no baseline');
    return;
  }
  if (format !== 'png') wrong('baseline', 'is compared with a png, which loses nothing');
  if (selectors) wrong('baseline', 'is compared with one picture, not with those of several selectors');
  if (include.length > 0) wrong('include', 'a HAR comes with a picture, not with a comparison');
}

const size = z.strictObject({ width: z.int(), height: z.int() });

export const comparisonFields = {
  matches: z.boolean().meta({
    description: 'Both have the same size, and no more than `threshold` differs.',
  }),
  difference: z.number().meta({
    description: 'Share of the compared pixels that differ, 0 to 1. What only one of them has differs.',
    examples: [0.0125],
  }),
  differentPixels: z.int(),
  comparedPixels: z.int().meta({ description: 'Without those of `ignore`.' }),
  threshold: z.number(),
  sameSize: z.boolean(),
  size: size.meta({ description: 'Of the picture.' }),
  baseline: size.extend({ fileId: z.string() }).meta({ description: 'Compared with.' }),
};

const comparisonShape = z.strictObject(comparisonFields);
export type Comparison = z.output<typeof comparisonShape>;
