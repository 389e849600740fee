import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The blocks of code in the documents, in the order in which a reader meets them. */
export const root = resolve(import.meta.dirname, '../../..');

export interface Block {
  language: string;
  code: string;
  /** `// first.mjs`: the name that its first line gives it. */
  fileName: string | undefined;
}

export interface Document {
  path: string;
  blocks: Block[];
}

const blocksIn = (text: string): Block[] =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
    fileName: /^(?:\/\/|#) ([\w-]+\.\w+)/.exec(code)?.[1],
  }));

export const documents: Document[] = globSync(
  ['*.md', 'docs/*.md', 'examples/*.md', 'packages/*/README.md'],
  { cwd: root },
)
  .sort()
  .map((path) => ({ path, blocks: blocksIn(readFileSync(join(root, path), 'utf8')) }));
