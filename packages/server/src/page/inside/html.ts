/** HTML that says what the page says and nothing about how it looked. */
const meaning = new Set(
  'href src alt title colspan rowspan start value datetime cite lang dir open'.split(' '),
);

export function htmlOf(root: Element): string {
  for (const element of root.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      const language =
        name === 'class' && element.tagName === 'CODE' && element.className.startsWith('language-');
      if (!meaning.has(name) && !language) element.removeAttribute(name);
    }
    if (element.tagName === 'LI' && element.parentElement?.tagName !== 'OL') element.removeAttribute('value');
  }
  for (const empty of [...root.querySelectorAll('div,span,p')].reverse())
    if (!empty.firstElementChild && !empty.textContent?.trim())
      empty.replaceWith(...(empty.textContent ? [' '] : []));
    else if (
      /^(?:DIV|SPAN)$/.test(empty.tagName) &&
      empty.childNodes.length === 1 &&
      empty.firstElementChild?.matches('div,p,section,article,ul,ol,table,h1,h2,h3,h4,h5,h6,pre,figure')
    )
      empty.replaceWith(...empty.childNodes);
  return root.innerHTML.replace(/\n\s*\n+/g, '\n').trim();
}
