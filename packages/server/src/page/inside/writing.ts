/** What a copy of a page says, in the form that was asked for. Nothing here looks at the page itself. */
import { htmlOf } from './html.ts';
import type { Writing, Written } from './inside.ts';
import { mainContent } from './main-content.ts';
import { markdownOf } from './markdown.ts';
import { textOfTree } from './text.ts';
import { tidy } from './tidy.ts';

const writers = { markdown: markdownOf, html: htmlOf, text: textOfTree };

export function writeDown(page: Document, { form, title, citations, from, most }: Writing): Written {
  const content = title === undefined ? page.body : mainContent(page);
  tidy(content, { title, citations });
  return cutAt(writers[form](content), from, most);
}

/** Never half a character. */
export function cutAt(whole: string, from: number, most: number): Written {
  const half = (at: number) =>
    at > 0 &&
    at < whole.length &&
    /[\udc00-\udfff]/.test(whole[at] ?? '') &&
    /[\ud800-\udbff]/.test(whole[at - 1] ?? '');
  const start = half(from) ? from - 1 : from;
  const end = Math.min(start + most, whole.length);
  const stop = half(end) ? Math.max(end - 1, start + 2) : end;
  const content = whole.slice(start, stop);
  return { content, chars: whole.length, ...(stop < whole.length && { next: stop }) };
}
