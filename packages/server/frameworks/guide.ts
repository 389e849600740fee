/** The code of the guide, as its readers paste it. What no trial has run is found out at the end. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Addresses, World } from './world.ts';

const root = resolve(import.meta.dirname, '../../..');

interface Block {
  document: string;
  heading: string;
  language: string;
  code: string;
}

/** Blocks for a shell are pasted by the suite of the command line, with those of every other guide. */
const ofTheShell = new Set(['sh', 'bash']);

const read = (document: string): Block[] =>
  readFileSync(resolve(root, 'docs', document), 'utf8')
    .split(/^#+ /m)
    .flatMap((section) => {
      const heading = section.split('\n')[0] ?? '';
      return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
        document,
        heading,
        language,
        code,
      }));
    });

const blocks = ['frameworks.md', 'cdp.md'].flatMap(read).filter(({ language }) => !ofTheShell.has(language));
const used = new Set<Block>();

/** The code under a heading; where there are several blocks, the one that has this text. */
export function snippet(heading: string, has = ''): string {
  const found = blocks.filter((block) => block.heading === heading && block.code.includes(has));
  if (found.length !== 1 || !found[0])
    throw new Error(`The guides have ${found.length} blocks under “${heading}” with “${has}”; one is meant.`);
  used.add(found[0]);
  return found[0].code;
}

export const unused = (): string[] =>
  blocks
    .filter((block) => !used.has(block))
    .map(({ document, heading, code }) => `docs/${document}, ${heading}: ${code.split('\n')[0]}`);

/** What stands for something of the reader's own is put in: addresses, key, token, site, model. */
export function filledIn(code: string, world: World, { id, signed }: Partial<Addresses>): string {
  const token = signed && new URL(signed).searchParams.get('token');
  return code
    .replaceAll(/(https?|ws):\/\/127\.0\.0\.1:8787/g, (_, scheme: string) => {
      return scheme === 'ws' ? world.url.replace(/^http/, 'ws') : world.url;
    })
    .replaceAll('browser_…', id ?? '')
    .replaceAll('bdc_…', token ?? '')
    .replaceAll('bd_…', world.key)
    .replaceAll('sk-…', 'none')
    .replaceAll('https://example.com', world.shop)
    .replaceAll('https://api.openai.com/v1', world.model)
    .replaceAll('/path/to/the/clone', root);
}
