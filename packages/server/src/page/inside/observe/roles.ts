/** What an element is, in the words of ARIA: the role that its author gave it, or the one that its tag has. */
import { attributeOf, fits, tagOf } from '../pristine.ts';
import { closestOf, firstIn, parentOf } from './dom.ts';

const ofTag: Record<string, string> = {
  ...{
    a: 'link',
    area: 'link',
    button: 'button',
    select: 'combobox',
    textarea: 'textbox',
    summary: 'button',
  },
  ...{ option: 'option', optgroup: 'group', datalist: 'listbox', output: 'status', progress: 'progressbar' },
  ...{ h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading' },
  ...{ ul: 'list', ol: 'list', menu: 'list', li: 'listitem', dl: 'list', dt: 'term', dd: 'definition' },
  ...{ table: 'table', tr: 'row', td: 'cell', th: 'columnheader', caption: 'caption' },
  ...{ nav: 'navigation', main: 'main', aside: 'complementary', search: 'search', article: 'article' },
  ...{
    dialog: 'dialog',
    form: 'form',
    fieldset: 'group',
    details: 'group',
    figure: 'figure',
    hr: 'separator',
  },
  ...{ img: 'img', svg: 'svg', canvas: 'canvas', video: 'video', audio: 'audio', meter: 'meter' },
  ...{
    iframe: 'iframe',
    frame: 'iframe',
    object: 'object',
    embed: 'object',
    math: 'math',
    blockquote: 'blockquote',
  },
};
const ofInput: Record<string, string> = {
  ...{ checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox' },
  ...{
    submit: 'button',
    button: 'button',
    reset: 'button',
    image: 'button',
    file: 'button',
    color: 'button',
  },
};

const known = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  complementary contentinfo definition deletion dialog document emphasis feed figure form generic grid gridcell group
  heading img image insertion link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox
  menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup
  rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab
  table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`.split(/\s+/),
);

/** Roles whose elements are there to be operated. */
export const operated = new Set(
  `button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider
  spinbutton switch tab textbox treeitem`.split(/\s+/),
);

/** Roles that say nothing of an element but that it holds others. */
export const plain = new Set(
  'generic none presentation paragraph rowgroup strong emphasis deletion insertion code subscript superscript document application'.split(
    ' ',
  ),
);

/** Roles whose name is what they contain. */
export const namedByContent = new Set(
  `button caption cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio
  rowheader switch tab term tooltip treeitem`.split(/\s+/),
);

/** Roles that an agent may want to look into, besides those that are operated. */
export const containers = new Set(
  `alert alertdialog article banner canvas complementary contentinfo dialog feed figure form grid group heading iframe img list log main
  menu menubar navigation object radiogroup region search status svg table tablist tabpanel toolbar tree treegrid video audio`.split(
    /\s+/,
  ),
);

/** These are landmarks of the page only where they are not part of something smaller. */
const sectioning = 'article,aside,main,nav,section';
function within(element: Element, selector: string): boolean {
  const outer = parentOf(element);
  return outer !== null && closestOf(outer, selector) !== null;
}

export const isNamed = (element: Element): boolean =>
  Boolean(attributeOf(element, 'aria-label') || attributeOf(element, 'aria-labelledby'));

function givenRole(element: Element): string | undefined {
  const given = attributeOf(element, 'role');
  if (!given) return undefined;
  const role = given
    .slice(0, 200)
    .toLowerCase()
    .split(/\s+/)
    .find((each) => known.has(each));
  return role === 'image' ? 'img' : role;
}

function tableRole(element: Element, tag: string): string {
  if (tag === 'th' && (attributeOf(element, 'scope') ?? '').startsWith('row')) return 'rowheader';
  if (tag === 'th' && !attributeOf(element, 'scope') && !within(element, 'thead')) {
    // The only heading of a row that has other cells belongs to the row.
    const row = parentOf(element);
    if (row && firstIn(row, ':scope > *') === element && firstIn(row, 'td')) return 'rowheader';
  }
  if (tag === 'td' && within(element, '[role=grid],[role=treegrid]')) return 'gridcell';
  return ofTag[tag] as string;
}

function tagRole(element: Element, tag: string): string {
  switch (tag) {
    case 'input':
      return element instanceof HTMLInputElement ? (ofInput[element.type] ?? 'textbox') : 'textbox';
    case 'a':
    case 'area':
      return attributeOf(element, 'href') === null ? 'generic' : 'link';
    case 'select':
      return fits(element, '[multiple],[size]:not([size="0"]):not([size="1"])') ? 'listbox' : 'combobox';
    case 'header':
      return within(element, sectioning) ? 'generic' : 'banner';
    case 'footer':
      return within(element, sectioning) ? 'generic' : 'contentinfo';
    case 'section':
      return isNamed(element) ? 'region' : 'generic';
    case 'form':
      return 'form';
    case 'summary':
      return parentOf(element) instanceof HTMLDetailsElement ? 'button' : 'generic';
    case 'td':
    case 'th':
      return tableRole(element, tag);
    default:
      return ofTag[tag] ?? 'generic';
  }
}

export function roleOf(element: Element): string {
  const given = givenRole(element);
  if (given && given !== 'none' && given !== 'presentation') return given;
  const own = tagRole(element, tagOf(element));
  // What can have the focus is not made plain by a role that says so.
  return given && !operated.has(own) ? 'generic' : own;
}
