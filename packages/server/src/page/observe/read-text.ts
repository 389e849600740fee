/** The words of a page, or its HTML: HTML as it is, for callers that write selectors; Markdown and text as a scrape gives them. */
import { ApiError } from '../../errors.ts';
import type { Asked } from '../inside/inside.ts';
import {
  dialogOpen,
  lookInto,
  nearestCandidates,
  ownHtmlProgram,
  type PageTarget,
  pageCrashed,
  scrapeProgram,
  unlessItEnds,
} from '../reach/reach.ts';

const whole: Omit<Asked, 'form' | 'ms'> = {
  mainContent: false,
  include: [],
  from: 0,
  most: Number.MAX_SAFE_INTEGER,
  citations: true,
  shadow: true,
  framesRead: true,
};

type Text = { text: string; cut: boolean };

export async function readText(
  page: PageTarget,
  { form, selector, ms }: Pick<Asked, 'form' | 'selector' | 'ms'>,
): Promise<Text> {
  const reader =
    form === 'html'
      ? ownHtmlProgram.call('ownHtml', selector)
      : scrapeProgram.call('content', { ...whole, form, selector, ms });
  const blocker = page.blocker();
  if (blocker === 'crashed') throw pageCrashed(page);
  if (blocker === 'dialog') throw dialogOpen();
  const read = await unlessItEnds(page, () => lookInto(page, reader, ms));
  if (read) return read;
  const asked = selector ?? 'html';
  const candidates = await nearestCandidates(page, asked);
  const near = candidates.length > 0 ? ` Nearest: ${candidates.join(', ')}.` : '';
  throw new ApiError('SELECTOR_NOT_FOUND', `Nothing on the page matches ${asked.slice(0, 200)}.${near}`, {
    details: { selector: asked, candidates },
  });
}
