/** What a page has besides its text, as lists. Of the whole page, or of the parts that were selected. */
import type { Extras } from './inside.ts';
import { pictureOf } from './pictures.ts';
import {
  absolute,
  addressWithin,
  allBelow,
  attributeOf,
  cutShort,
  hrefOf,
  shortAttributeOf,
  squeeze,
  tagOf,
  textOf,
} from './pristine.ts';

const mostListed = 2000;

const text = (element: Element): string => cutShort(squeeze(textOf(element)));

const below = (roots: Element[], selector: string): Element[] =>
  roots.flatMap((root) => allBelow(root, selector)).slice(0, mostListed * 5);

function once<T>(items: T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()].slice(0, mostListed);
}

export function linksOf(roots: Element[]): { url: string; text: string }[] {
  const links = below(roots, 'a[href]').flatMap((link) => {
    const url = link instanceof HTMLAnchorElement ? addressWithin(hrefOf(link)) : '';
    const label = shortAttributeOf(link, 'aria-label') ?? shortAttributeOf(link, 'title');
    const words = text(link) || squeeze(label);
    return /^(?:https?|mailto|tel):/.test(url) ? [{ url, text: words }] : [];
  });
  return once(links, ({ url, text: words }) => `${url}\n${words}`);
}

export function headingsOf(roots: Element[]): { level: number; text: string; id?: string }[] {
  return below(roots, 'h1,h2,h3,h4,h5,h6')
    .map((heading) => ({
      level: Number(tagOf(heading)[1]),
      text: text(heading),
      id: shortAttributeOf(heading, 'id'),
    }))
    .filter((heading) => heading.text)
    .slice(0, mostListed);
}

export function imagesOf(roots: Element[]): { url: string; alt: string; width?: number; height?: number }[] {
  const images = below(roots, 'img').flatMap((image) => {
    const url = addressWithin(pictureOf(image));
    const { naturalWidth: width, naturalHeight: height } = image as HTMLImageElement;
    return url
      ? [{ url, alt: squeeze(shortAttributeOf(image, 'alt')), ...(width > 0 && { width, height }) }]
      : [];
  });
  return once(images, ({ url }) => url);
}

type Forms = NonNullable<Extras['forms']>;
type Field = Forms[number]['fields'][number];

export function formsOf(roots: Element[]): Forms {
  return below(roots, 'form')
    .slice(0, 200)
    .map((form) => ({
      action: addressWithin(absolute(attributeOf(form, 'action') || location.href)),
      method: (shortAttributeOf(form, 'method') ?? 'get').toLowerCase(),
      id: shortAttributeOf(form, 'id'),
      fields: allBelow(form, 'input,select,textarea,button').slice(0, 500).map(fieldOf),
    }));
}

function fieldOf(element: Element): Field {
  const field = element as HTMLInputElement | HTMLSelectElement;
  const label = field.labels?.[0] ? text(field.labels[0]) : undefined;
  const hint = shortAttributeOf(field, 'aria-label') ?? shortAttributeOf(field, 'placeholder');
  const type = tagOf(field) === 'select' ? 'select' : field.type;
  return {
    name: shortAttributeOf(field, 'name') ?? '',
    type,
    label: label || hint,
    required: field.required === true,
    ...(type !== 'password' && { value: cutShort(String(field.value ?? '')) }),
    ...(field instanceof HTMLSelectElement && {
      options: [...field.options]
        .slice(0, 500)
        .map((option) => ({ value: cutShort(option.value), text: text(option) })),
    }),
  };
}

export function tablesOf(roots: Element[]): { caption?: string; headers: string[]; rows: string[][] }[] {
  return below(roots, 'table')
    .filter(
      (table): table is HTMLTableElement =>
        table instanceof HTMLTableElement && !table.querySelector('table'),
    )
    .filter((table) => table.rows.length > 1 && [...table.rows].some((row) => row.cells.length > 1))
    .slice(0, 200)
    .map((table) => {
      const rows = [...table.rows].slice(0, mostListed).map((row) => [...row.cells].map(text));
      const headed =
        table.tHead !== null || [...(table.rows[0]?.cells ?? [])].every(({ tagName }) => tagName === 'TH');
      const headers = headed ? (rows.shift() ?? []) : [];
      return { caption: cutShort(squeeze(table.caption?.textContent)) || undefined, headers, rows };
    });
}
