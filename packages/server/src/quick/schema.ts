/** What one request may ask of one page, and the browser that is borrowed for it. */
import { z } from 'zod';
import { appearanceFields, oneProfile, profileRef } from '../browsers/record/field-schema.ts';
import { policySchema, proxySchema } from '../browsers/record/policy-schema.ts';
import { clientCertificatesSchema, pageTlsSchema } from '../browsers/record/trust-schema.ts';
import { storedFileSchema, storeField } from '../files/schema.ts';
import {
  checkPicture,
  checkPrint,
  pictureFields,
  printFields,
  selectorsField,
} from '../page/capture/schema.ts';
import { scrapeAnswerFields, scrapeFields, solveCaptchaField } from '../page/read/schema.ts';
import { quickReadyFields } from '../page/ready/schema.ts';
import { assetsField, visitFields } from '../page/visit/schema.ts';

const common = {
  ...visitFields,
  assets: assetsField,
  ...appearanceFields,
  policy: policySchema.optional(),
  proxy: proxySchema.optional(),
  tls: pageTlsSchema.optional(),
  clientCertificates: clientCertificatesSchema.optional(),
  profile: profileRef
    .superRefine(oneProfile)
    .optional()
    .meta({ description: 'A saved profile that the page begins with. Nothing is saved into it.' }),
  solveCaptcha: solveCaptchaField,
  store: storeField,
};

type Destination = { url?: string; html?: string; assets?: unknown };
const oneDestination = ({ url, html, assets }: Destination, context: z.RefinementCtx): void => {
  if (assets && html === undefined)
    context.addIssue({ code: 'custom', path: ['assets'], message: 'are files of html, which is missing' });
  if ((url === undefined) === (html === undefined))
    context.addIssue({ code: 'custom', path: ['url'], message: 'give either url or html' });
};

const scrapeParts = scrapeFields.include.unwrap().element.options;
export const quickScrapeSchema = z
  .strictObject({
    ...common,
    ...scrapeFields,
    include: z
      .array(z.enum([...scrapeParts, 'har']))
      .max(7)
      .default([])
      .meta({
        description:
          'Lists of the whole page, or of what `selector` matches. `har`: what the page asked of the network, as a HAR 1.2 without bodies, of at most 1 MiB.',
      }),
  })
  .superRefine(oneDestination)
  .meta({ id: 'QuickScrape' });

const harToo = {
  include: z
    .array(z.enum(['har']))
    .max(1)
    .default([])
    .meta({
      description:
        '`har`: the answer is JSON, with the bytes in base64 and what the page asked of the network as a HAR 1.2 without bodies, of at most 1 MiB.',
    }),
};

export const quickScreenshotSchema = z
  .strictObject({ ...common, ...pictureFields, selectors: selectorsField, ...quickReadyFields, ...harToo })
  .superRefine(oneDestination)
  .superRefine(checkPicture)
  .refine(({ selectors, include }) => !selectors || include.length === 0, {
    path: ['include'],
    message: 'a HAR comes with one picture, not with those of several selectors',
  })
  .meta({ id: 'QuickScreenshot' });

export const quickPdfSchema = z
  .strictObject({ ...common, ...printFields, ...quickReadyFields, ...harToo })
  .superRefine(oneDestination)
  .superRefine(checkPrint)
  .meta({ id: 'QuickPdf' });

const har = z.unknown().meta({ description: 'With `include: ["har"]`. Credentials and tokens are hidden.' });

export const quickScrapedSchema = z
  .strictObject({
    ...scrapeAnswerFields,
    har: har.optional(),
    files: z
      .array(storedFileSchema)
      .optional()
      .meta({ description: 'With `store`: the file that has `content`.' }),
  })
  .meta({ id: 'QuickScraped' });

const { url, finalUrl, statusCode, timedOut } = scrapeAnswerFields;
export const quickCapturedSchema = z
  .strictObject({
    url,
    finalUrl,
    statusCode,
    timedOut,
    mimeType: z.string().meta({ examples: ['image/png', 'application/pdf'] }),
    har,
    content: z.string().meta({ description: 'The picture or the PDF, in base64.' }),
  })
  .meta({ id: 'QuickCaptured' });

export const quickStoredSchema = z
  .strictObject({
    url,
    finalUrl,
    statusCode,
    timedOut,
    har: har.optional(),
    files: z
      .array(storedFileSchema)
      .meta({ description: 'The picture or the PDF; with `selectors` a picture of each, in their order.' }),
  })
  .meta({ id: 'QuickStored', description: 'With `store`.' });

export type QuickStored = z.output<typeof quickStoredSchema>;
export type QuickScrape = z.output<typeof quickScrapeSchema>;
export type QuickScreenshot = z.output<typeof quickScreenshotSchema>;
export type QuickPdf = z.output<typeof quickPdfSchema>;
export type QuickScraped = z.output<typeof quickScrapedSchema>;
export type QuickCaptured = z.output<typeof quickCapturedSchema>;
export type QuickRequest = QuickScrape | QuickScreenshot | QuickPdf;
