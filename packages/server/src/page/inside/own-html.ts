/** The HTML of a document as the page has it, for callers that write selectors. */
import { getter, theRoot } from './pristine.ts';

const outerHtmlOf = getter<string>(Element.prototype, 'outerHTML');

export function ownHtml(selector?: string): { text: string; cut: boolean } | null {
  try {
    const found =
      selector === undefined ? theRoot(document) : Document.prototype.querySelector.call(document, selector);
    return found && { text: outerHtmlOf(found), cut: false };
  } catch {
    return null;
  }
}
