/** What may be asked of a picture or a PDF of a page, on a browser's tab and in quick actions alike. */
import { z } from 'zod';
import { fileSchema } from '../../artifacts/schema.ts';
import { checkPixels, comparisonFields, pixelFields } from '../pixels/schema.ts';
import { tabReadyFields } from '../ready/schema.ts';
import { assetsField } from '../visit/schema.ts';

const tabId = z.string().min(1).max(128).optional().meta({ description: 'Default: the active tab.' });
const store = z
  .boolean()
  .default(false)
  .meta({ description: 'Keep it as a file of the browser and answer 201 with its record.' });
const passive = z.boolean().default(false).meta({
  description: 'Only look: it does not count as an action, so the idle time of the browser runs on.',
});

const timeoutMs = z.int().min(1).max(120_000).default(30_000).meta({
  description: 'For all that is done to the page before it is captured.',
});

const deviceScaleFactor = z.number().min(0.1).max(4).optional().meta({
  description:
    'Pixels of the picture for each CSS pixel, sharply drawn; the page itself does not notice. Default: as the tab has it.',
});

const coordinate = z.number().min(0).max(1_000_000);
const side = z.number().gt(0).max(1_000_000);

export const pictureFields = {
  format: z.enum(['png', 'jpeg', 'webp']).default('png'),
  quality: z.int().min(0).max(100).optional().meta({ description: 'Of jpeg and webp; 80 if not given.' }),
  fullPage: z.boolean().default(false).meta({
    description:
      'All of the page instead of what its viewport shows; at most 16,384 device pixels a side, and as a PNG without `maxSide` 100,000 down.',
  }),
  selector: z.string().min(1).max(4096).optional().meta({
    description: 'Only the first element that matches this CSS selector, also in open shadow roots.',
  }),
  clip: z.strictObject({ x: coordinate, y: coordinate, width: side, height: side }).optional().meta({
    description:
      'Only this part of the page, in CSS pixels from its top left corner; what lies outside the page is cut off.',
  }),
  omitBackground: z.boolean().default(false).meta({
    description: 'Transparent where the page paints nothing, instead of white. Of png and webp.',
  }),
  maxSide: z.int().min(16).max(16_384).optional().meta({
    description: 'Pixels of the longer side at most; a larger picture is drawn smaller. Never enlarges.',
  }),
};

/** Of calls whose answer can hold several pictures. */
export const selectorsField = z.array(z.string().min(1).max(4096)).min(1).max(20).optional().meta({
  description:
    'A picture of the first element that matches each of these; the answer is JSON with all of them, in this order.',
});

const pictureShape = z.strictObject(pictureFields);
export type Picture = z.output<typeof pictureShape>;

/** What other rooms may want besides. */
export interface Wanted extends Picture {
  /** Pixels of the picture for each CSS pixel, whatever the page is drawn with; `maxSide` is then only for the last frame. */
  deviceScaleFactor?: number;
  /** Default: they are. */
  waitForFonts?: boolean;
  /** CSS selectors of what is of no interest in it. */
  ignore?: readonly string[];
}

/** What the fields of a picture cannot say one by one; for every schema that has them. */
export function checkPicture(picture: Picture & { selectors?: string[] }, context: z.RefinementCtx): void {
  const wrong = (path: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { format, quality, fullPage, selector, selectors, clip, omitBackground } = picture;
  if (format === 'png' && quality !== undefined) wrong('quality', 'png has none; only jpeg and webp do');
  if (format === 'jpeg' && omitBackground) wrong('omitBackground', 'jpeg knows no transparency');
  const parts = { fullPage, selector, selectors, clip };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined && value !== false);
  if (given.length > 1)
    wrong(given[1]?.[0] ?? '', `only one of ${given.map(([name]) => name).join(' and ')} can be honoured`);
}

export const pictureSchema = pictureShape.superRefine(checkPicture);
export const defaultPicture: Picture = pictureSchema.parse({});

export const screenshotSchema = z
  .strictObject({
    tabId,
    ...pictureFields,
    selectors: selectorsField,
    ...pixelFields,
    deviceScaleFactor,
    ...tabReadyFields,
    timeoutMs,
    store,
    passive,
  })
  .superRefine(checkPicture)
  .superRefine(checkPixels)
  .meta({ id: 'TakeScreenshot' });

export const picturesSchema = z
  .strictObject({
    pictures: z.array(
      z.strictObject({
        selector: z.string(),
        mimeType: z.string().meta({ examples: ['image/png'] }),
        content: z.string().optional().meta({ description: 'In base64; absent where it was stored.' }),
        file: fileSchema.optional().meta({ description: 'With `store`.' }),
      }),
    ),
  })
  .meta({ id: 'Pictures', description: 'With `selectors`.' });
export type Pictures = z.output<typeof picturesSchema>;

const comparedPicture = z.strictObject({
  mimeType: z.literal('image/png'),
  content: z.string().optional().meta({ description: 'In base64; absent where it was stored.' }),
  file: fileSchema.optional().meta({ description: 'With `store`.' }),
});

export const comparedSchema = z
  .strictObject({
    ...comparisonFields,
    picture: comparedPicture.meta({ description: 'That was taken: the next baseline, if it is to be.' }),
    differencePicture: comparedPicture.meta({
      description:
        'The picture, faint, with what differs in red; in yellow smoothed edges, which do not count.',
    }),
  })
  .meta({ id: 'ComparedPicture', description: 'With `baseline`.' });
export type ComparedPicture = z.output<typeof comparedSchema>;

const length = z
  .union([
    z.number().min(0).max(100_000),
    z
      .string()
      .max(32)
      .regex(/^\d+(\.\d+)?(px|in|cm|mm)?$/, 'not a length, such as 96, "96px", "1in", "2.54cm" or "25.4mm"'),
  ])
  .meta({ description: 'CSS pixels, or a number with px, in, cm or mm.', examples: ['20mm'] });

export const paperFormats = {
  a0: [33.1, 46.8],
  a1: [23.4, 33.1],
  a2: [16.54, 23.4],
  a3: [11.7, 16.54],
  a4: [8.27, 11.7],
  a5: [5.83, 8.27],
  a6: [4.13, 5.83],
  letter: [8.5, 11],
  legal: [8.5, 14],
  tabloid: [11, 17],
  ledger: [17, 11],
} as const satisfies Record<string, readonly [widthInches: number, heightInches: number]>;

/** A number, or two with a dash between them of which one may be missing; several with commas. */
const pageRanges = /^ *(\d+ *(- *\d*)?|- *\d+) *(, *(\d+ *(- *\d*)?|- *\d+) *)*$/;

const words = z.string().max(1000).optional();
const template = z.string().max(100_000).optional();

export const printFields = {
  format: z
    .enum(Object.keys(paperFormats) as [keyof typeof paperFormats, ...(keyof typeof paperFormats)[]])
    .optional()
    .meta({ description: 'Of the paper; letter if neither it nor width and height are given.' }),
  width: length.optional(),
  height: length.optional(),
  margin: z
    .strictObject({
      top: length.optional(),
      right: length.optional(),
      bottom: length.optional(),
      left: length.optional(),
    })
    .optional()
    .meta({ description: 'None unless given. Header and footer are printed in it.' }),
  landscape: z.boolean().default(false),
  scale: z.number().min(0.1).max(2).default(1),
  pageRanges: z
    .string()
    .max(1000)
    .regex(pageRanges, 'not page ranges, such as "1-3, 5"')
    .optional()
    .meta({ description: 'All pages unless given.', examples: ['1-3, 5'] }),
  displayHeaderFooter: z
    .boolean()
    .optional()
    .meta({ description: 'True if there is a template, unless given.' }),
  headerTemplate: template.meta({
    description:
      'HTML; elements of the classes date, title, url, pageNumber and totalPages are filled in. Set a `font-size`. Chromium loads nothing for it; what it names of `assets` (pictures, style sheets, fonts of `@font-face`) is written into it.',
  }),
  footerTemplate: template,
  printBackground: z.boolean().default(false).meta({ description: 'Colours and images of backgrounds too.' }),
  preferCssPageSize: z
    .boolean()
    .default(false)
    .meta({ description: 'The size that the page itself asks for by `@page`, if it does.' }),
  tagged: z.boolean().default(true).meta({ description: 'With the structure that screen readers need.' }),
  singlePage: z.boolean().default(false).meta({
    description:
      'All on one sheet, as long as the page is with the width it has on the screen; a `format` or `width` has it drawn smaller or larger to fit. At most 200 inches.',
  }),
  about: z
    .strictObject({ title: words, author: words, subject: words, keywords: words })
    .optional()
    .meta({ description: 'What the PDF says about itself; what is left out stays as Chromium writes it.' }),
  outline: z
    .boolean()
    .default(false)
    .meta({ description: 'With bookmarks from the headings; needs tagged.' }),
};

const printShape = z.strictObject(printFields);
export type Print = z.output<typeof printShape>;

export function checkPrint(print: Print, context: z.RefinementCtx): void {
  const { format, width, height, outline, tagged, singlePage, landscape, pageRanges } = print;
  const wrong = (path: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (format && (width ?? height) !== undefined) wrong('format', 'give either format, or width and height');
  const others = { height, landscape, pageRanges, preferCssPageSize: print.preferCssPageSize };
  if (singlePage)
    for (const [name, value] of Object.entries(others))
      if (value) wrong(name, 'has no meaning with singlePage, whose sheet is as long as the page');
  if (outline && !tagged) wrong('outline', 'an outline is made from the structure, so it needs tagged');
}

export const pdfSchema = z
  .strictObject({
    tabId,
    ...printFields,
    assets: assetsField.meta({ description: 'Files that the templates name by relative addresses.' }),
    ...tabReadyFields,
    timeoutMs,
    store,
  })
  .superRefine(checkPrint)
  .refine(({ assets, headerTemplate, footerTemplate }) => !assets || (headerTemplate ?? footerTemplate), {
    path: ['assets'],
    message: 'are files of headerTemplate and footerTemplate, which are missing',
  })
  .meta({ id: 'PrintPdf' });
