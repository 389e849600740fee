/** Addresses that are no page: Chromium shows them in a document of its own making. */
import { textOf, theBody, theContentType, theRoot } from './pristine.ts';

export interface PlainDocument {
  kind: 'json' | 'text' | 'xml' | 'image';
  text: string;
}

const isJson = /^(?:application|text)\/(?:[\w.+-]*\+)?json$/i;
const isXml = /^(?:application|text)\/(?:[\w.+-]*\+)?xml$/i;

export function plainDocument(): PlainDocument | undefined {
  const type = theContentType(document);
  const body = theBody(document);
  if (type === 'text/html' || type === 'application/xhtml+xml') return undefined;
  if (isJson.test(type)) return { kind: 'json', text: (body && textOf(body)) ?? '' };
  if (type.startsWith('image/') && type !== 'image/svg+xml') return { kind: 'image', text: '' };
  if (isXml.test(type)) return { kind: 'xml', text: xmlText() };
  return { kind: 'text', text: (body && textOf(body)) ?? '' };
}

/** Chromium puts its own view before the elements of an XML document, and keeps them in a corner of it. */
function xmlText(): string {
  const source = document.querySelector('#webkit-xml-viewer-source-xml') ?? theRoot(document);
  if (!source) return '';
  const write = (node: Node) => new XMLSerializer().serializeToString(node);
  return source.id === 'webkit-xml-viewer-source-xml'
    ? [...source.childNodes].map(write).join('')
    : write(source);
}
