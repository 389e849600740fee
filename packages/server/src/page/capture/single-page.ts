/**
 * A page on one sheet as long as itself. It keeps the width it has on the screen: the sheet is as wide as that, or the page
 * is drawn smaller or larger to fit the width that was asked for.
 */
import { ApiError } from '../../errors.ts';
import { lookInto, type PageTarget, stagingProgram } from '../reach/reach.ts';
import { setMedia } from '../ready/ready.ts';
import { measure } from './measure.ts';
import { inches, longestInches, type Paper } from './pdf-paper.ts';
import { type Print, paperFormats } from './schema.ts';

/** Chromium scales by no more and no less. */
const [smallest, largest] = [0.1, 2];
/** What is rounded up when it is printed must not begin another sheet. */
const slackPixels = 1;

/** A page that asks for new sheets would get them. */
const oneSheet =
  '*, *::before, *::after { break-before: auto !important; break-after: auto !important; break-inside: auto !important }';

export interface Sheet {
  paper: Paper;
  scale: number;
}

export async function singleSheet(
  page: PageTarget,
  asked: Print & { media?: string; colorScheme?: string; waitForFonts?: boolean },
  undo: AsyncDisposableStack,
): Promise<Sheet> {
  if (asked.media === undefined) await setMedia(page, { ...asked, media: 'print' }, undo);
  await lookInto(page, stagingProgram.call('dress', [oneSheet], [], []));
  undo.defer(() => lookInto(page, stagingProgram.callLoaded('undress')).catch(() => undefined));
  const { page: size } = await measure(page, undefined, asked);
  const { top = 0, right = 0, bottom = 0, left = 0 } = asked.margin ?? {};
  const beside = inches(left) + inches(right);
  const wanted =
    asked.width === undefined ? asked.format && paperFormats[asked.format][0] : inches(asked.width);
  const scale = wanted === undefined ? asked.scale : ((wanted - beside) * 96) / size.width;
  const height = ((size.height + slackPixels) * scale) / 96 + inches(top) + inches(bottom);
  if (scale < smallest || scale > largest)
    throw new ApiError(
      'VALIDATION_FAILED',
      `The page is ${size.width} CSS pixels wide and cannot be fitted to this paper. Choose another \`width\`, or another viewport.`,
      { details: { issues: [{ path: 'width', reason: `needs a scale of ${scale.toFixed(2)}` }] } },
    );
  if (height > longestInches)
    throw new ApiError(
      'CAPTURE_TOO_LARGE',
      `On one sheet the page would be ${Math.ceil(height)} inches long; readers show at most ${longestInches}. Choose a smaller \`width\` or \`scale\`, or print it on several.`,
      { details: { heightInches: height, longestInches } },
    );
  return {
    scale,
    paper: {
      paperWidth: wanted ?? (size.width * scale) / 96 + beside,
      paperHeight: height,
      marginTop: inches(top),
      marginRight: inches(right),
      marginBottom: inches(bottom),
      marginLeft: inches(left),
    },
  };
}
