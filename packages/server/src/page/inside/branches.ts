/**
 * The copy of a page as JSON, and back. HTML would not do: a parser moves what authors nested otherwise than it should
 * be, a link in a link, a block in a paragraph, and the copy holds them as the page does.
 */
type Branch = string | [tag: string, attributes: string[], children: Branch[]];

const branchOf = (node: Node): Branch | undefined => {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
  if (!(node instanceof Element)) return undefined;
  const attributes = node.getAttributeNames().flatMap((name) => [name, node.getAttribute(name) ?? '']);
  return [node.localName, attributes, branchesOf(node)];
};

const branchesOf = (parent: Element): Branch[] =>
  [...parent.childNodes].map(branchOf).filter((branch) => branch !== undefined);

export const packed = (root: Element): string => JSON.stringify(branchesOf(root));

export const unpack = (branches: string, into: Element): void => grow(JSON.parse(branches), into);

function grow(branches: Branch[], into: Element): void {
  for (const branch of branches) {
    if (typeof branch === 'string') {
      into.append(branch);
      continue;
    }
    const [tag, attributes, children] = branch;
    const element = into.ownerDocument.createElement(tag);
    for (let at = 0; at < attributes.length; at += 2)
      element.setAttribute(attributes[at] ?? '', attributes[at + 1] ?? '');
    into.append(element);
    grow(children, element);
  }
}
