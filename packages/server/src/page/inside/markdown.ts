/** A part of a page as Markdown. */
interface Rule {
  filter: string | string[] | ((node: HTMLElement) => boolean);
  replacement(content: string, node: HTMLElement): string;
}
interface Service {
  use(plugins: unknown[]): void;
  remove(filter: string[]): void;
  addRule(name: string, rule: Rule): void;
  turndown(root: Element): string;
}
declare const TurndownService: new (options: object) => Service;
declare const gfm: Record<'strikethrough' | 'taskListItems', unknown>;

/** Markdown as people write it, from a tree that `tidy` has put in order. */
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').trim();

/** A fence longer than any in the code. */
const fenceFor = (code: string): string =>
  '`'.repeat(Math.max(3, ...[...code.matchAll(/^`{3,}/gm)].map(([ticks]) => ticks.length + 1)));

const cell = (content: string): string =>
  content
    .trim()
    .replace(/\s*\n\s*/g, '<br>')
    .replace(/\\?\|/g, '\\|');

const rules: Record<string, Rule> = {
  heading: {
    filter: headings,
    replacement: (content, { tagName }) =>
      oneLine(content) ? `\n\n${'#'.repeat(Number(tagName[1]))} ${oneLine(content)}\n\n` : '',
  },
  code: {
    filter: 'pre',
    replacement: (_, node) => {
      const code = node.textContent ?? '';
      const language = /language-(\S+)/.exec(node.firstElementChild?.className ?? '')?.[1] ?? '';
      const fence = fenceFor(code);
      return code.trim() ? `\n\n${fence}${language}\n${code}\n${fence}\n\n` : '';
    },
  },
  math: {
    filter: (node) => node.tagName === 'CODE' && node.className === 'math',
    replacement: (_, node) => `$${node.textContent ?? ''}$`,
  },
  link: {
    filter: (node) => node.tagName === 'A' && node.getAttribute('href') !== null,
    replacement: (content, node) => {
      const words = oneLine(content);
      if (!words) return '';
      const href = (node.getAttribute('href') ?? '')
        .replace(/[()<>\s]/g, encodeURIComponent)
        .replace(/\(/g, '%28')
        .replace(/\)/g, '%29');
      return `[${words}](${href})`;
    },
  },
  image: {
    filter: 'img',
    replacement: (_, node) => {
      const alt = (node.getAttribute('alt') ?? '')
        .replace(/\s+/g, ' ')
        .replace(/([[\]])/g, '\\$1')
        .trim();
      const src = (node.getAttribute('src') ?? '')
        .replace(/\s/g, '%20')
        .replace(/\(/g, '%28')
        .replace(/\)/g, '%29');
      return src ? `![${alt}](${src})` : alt;
    },
  },
  sub: {
    filter: ['sub', 'sup'],
    replacement: (content, { tagName, textContent }) =>
      /^\[?\W*\d*\W*\]?$/.test(textContent ?? '') || !content.trim()
        ? content
        : `${tagName === 'SUB' ? '_' : '^'}${content}`,
  },
  mark: { filter: ['mark', 'u', 'ins', 'abbr', 'small'], replacement: (content) => content },
  figureCaption: {
    filter: 'figcaption',
    replacement: (content) => (oneLine(content) ? `\n\n${oneLine(content)}\n\n` : ''),
  },
  cell: { filter: ['th', 'td'], replacement: (content) => ` ${cell(content)} |` },
  row: {
    filter: 'tr',
    replacement: (content, node) => {
      const rule =
        node.parentElement?.tagName === 'THEAD' ? `\n|${' --- |'.repeat(node.children.length)}` : '';
      return `|${content.replace(/\n/g, '')}${rule}\n`;
    },
  },
  section: { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content },
  table: { filter: 'table', replacement: (content) => `\n\n${content.replace(/\n{2,}/g, '\n').trim()}\n\n` },
  listItem: {
    filter: 'li',
    replacement: (content, node) => {
      const mark = node.parentElement?.tagName === 'OL' ? `${node.getAttribute('value')}. ` : '- ';
      const text = content
        .trim()
        .replace(/\n{3,}/g, '\n\n')
        .replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`);
      return `${mark}${text}${node.nextElementSibling ? '\n' : ''}`;
    },
  },
};

function newService(): Service {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
    br: '',
  });
  service.use([gfm.strikethrough, gfm.taskListItems]);
  for (const [name, rule] of Object.entries(rules)) service.addRule(name, rule);
  return service;
}

let service: Service | undefined;

export function markdownOf(root: Element): string {
  service ??= newService();
  return service
    .turndown(root)
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
