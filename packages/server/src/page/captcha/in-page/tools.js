// Runs in an isolated world of a page. A page can name its elements after properties (`<input name="parentNode">`
// hides `form.parentNode`), so everything is asked of the prototypes.
export default () => {
  const getter = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (object) => Reflect.apply(get, object, []);
  };
  const method =
    (prototype, name) =>
    (object, ...given) =>
      Reflect.apply(prototype[name], object, given);
  const attr = (element, name) => method(Element.prototype, 'getAttribute')(element, name) ?? '';
  const matches = method(Element.prototype, 'matches');
  const shadow = getter(Element.prototype, 'shadowRoot');
  const tag = getter(Element.prototype, 'localName');
  const rectOf = method(Element.prototype, 'getBoundingClientRect');
  const parentNode = getter(Node.prototype, 'parentNode');
  const textOf = getter(Node.prototype, 'textContent');
  const shownText = getter(HTMLElement.prototype, 'innerText');
  const queryIn = (root, selector) => {
    const { prototype } =
      root instanceof Document ? Document : root instanceof Element ? Element : DocumentFragment;
    return [...Reflect.apply(prototype.querySelectorAll, root, [selector])];
  };

  const mostElements = 200_000;
  const mostRoots = 500;
  /** The document and the open shadow roots in it. */
  const roots = [document];
  /** Elements with names of their own making. */
  const custom = [];
  for (let at = 0; at < roots.length && roots.length < mostRoots; at++)
    for (const element of queryIn(roots[at], '*').slice(0, mostElements)) {
      const inside = shadow(element);
      if (inside && roots.length < mostRoots) roots.push(inside);
      if (tag(element).includes('-')) custom.push(element);
    }

  /** Out of a shadow root too. */
  const above = (node) => {
    const parent = parentNode(node);
    return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  };
  const closest = (element, selector) => {
    for (let at = element; at; at = above(at)) if (matches(at, selector)) return at;
    return null;
  };
  const isInside = (outer, element) => {
    for (let at = element; at; at = above(at)) if (at === outer) return true;
    return false;
  };
  /** Markup that is shown as a sample, or not at all. */
  const isQuoted = (element) => closest(element, 'pre, code, samp, xmp, [contenteditable]') !== null;
  const find = (selector) =>
    roots.flatMap((root) => queryIn(root, selector)).filter((element) => !isQuoted(element));
  /** Below an element, in its shadow root too. */
  const findIn = (element, selector) => [
    ...queryIn(element, selector),
    ...roots
      .filter((root) => root !== document && isInside(element, root.host))
      .flatMap((root) => queryIn(root, selector)),
  ];

  const isShown = (element, width = 8, height = 8) => {
    const box = rectOf(element);
    return (
      box.width >= width &&
      box.height >= height &&
      method(Element.prototype, 'checkVisibility')(element, { visibilityProperty: true })
    );
  };
  const valueIn = (field) =>
    field instanceof HTMLInputElement
      ? getter(HTMLInputElement.prototype, 'value')(field)
      : field instanceof HTMLTextAreaElement
        ? getter(HTMLTextAreaElement.prototype, 'value')(field)
        : '';
  const urlOf = (element) => URL.parse(attr(element, 'src'), document.baseURI) ?? new URL('about:blank');
  /** Tells two answers apart without carrying them around (FNV-1a). */
  const markOf = (text) => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
    return `${text.length}-${hash.toString(16)}`;
  };
  /** All the names an element goes by. */
  const namesOf = (element) =>
    [tag(element), ...['id', 'class', 'name'].map((name) => attr(element, name))].join(' ');
  const describe = (element) => {
    const id = attr(element, 'id');
    const name = attr(element, 'name');
    const [first] = attr(element, 'class').split(/\s+/);
    const where = tag(element) === 'iframe' ? ` from ${urlOf(element).host || 'the page itself'}` : '';
    return `<${tag(element)}${id ? `#${id}` : ''}${first ? `.${first}` : ''}${name ? ` name=${name}` : ''}>${where}`.slice(
      0,
      200,
    );
  };
  const formOf = (element) => closest(element, 'form');

  return {
    above,
    attr,
    closest,
    custom,
    describe,
    find,
    findIn,
    formOf,
    sizeOf: (element) => queryIn(element, '*').length,
    isInside,
    isQuoted,
    isShown,
    markOf,
    matches,
    namesOf,
    rectOf,
    shadow,
    shownText,
    tag,
    textOf,
    urlOf,
    valueIn,
  };
};
