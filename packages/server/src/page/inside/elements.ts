/** What of a document can be selected, for callers whose selector matched nothing and for those that wait for a match. */
const most = 400;

const roles: Record<string, string> = {
  A: 'link',
  BUTTON: 'button',
  SELECT: 'combobox',
  TEXTAREA: 'textbox',
  H1: 'heading',
  H2: 'heading',
  H3: 'heading',
  IMG: 'img',
};
const inputRoles: Record<string, string> = {
  checkbox: 'checkbox',
  radio: 'radio',
  submit: 'button',
  button: 'button',
  range: 'slider',
  number: 'spinbutton',
};

/** What elements of different kinds may have. */
interface Thing extends Element {
  type?: string;
  labels?: NodeListOf<HTMLElement> | null;
  placeholder?: string;
  alt?: string;
  innerText?: string;
  value?: string;
  name?: string;
  dataset?: DOMStringMap;
}

const quote = (text: string): string => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 80));

const roleOf = (element: Thing): string | undefined =>
  element.getAttribute('role') ??
  (element.tagName === 'INPUT' ? (inputRoles[element.type ?? ''] ?? 'textbox') : roles[element.tagName]);

const nameOf = (element: Thing): string =>
  element.getAttribute('aria-label') ??
  element.labels?.[0]?.innerText ??
  element.placeholder ??
  element.alt ??
  element.innerText ??
  element.value ??
  '';

export function selectors(): string[] {
  const found = new Set<string>();
  for (const element of document.querySelectorAll<Thing>(
    'a,button,input,select,textarea,label,h1,h2,h3,img[alt],[role],[id],[data-testid]',
  )) {
    if (found.size >= most) break;
    const role = roleOf(element);
    const name = nameOf(element);
    if (element.dataset?.testid) found.add(`getByTestId(${quote(element.dataset.testid)})`);
    if (element.id) found.add(`#${CSS.escape(element.id)}`);
    if (role && name.trim()) found.add(`getByRole(${quote(role)}, { name: ${quote(name)} })`);
    if (element.name) found.add(`${element.tagName.toLowerCase()}[name=${quote(element.name)}]`);
  }
  return [...found];
}

export function has(selector: string): boolean | 'bad' {
  try {
    return Document.prototype.querySelector.call(document, selector) !== null;
  } catch {
    return 'bad';
  }
}
