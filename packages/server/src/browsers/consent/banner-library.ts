/**
 * The library that knows the banners, made ready for pages. It is read when the first browser wants banners declined, once for
 * the whole service.
 *
 *   library + rules + inside/decline.ts ──> one script, for every document
 *   snippets of the library ──────────────> by their names, for the pages' own worlds
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type PageProgram, pageProgram } from '../../kit/page-program.ts';
import type { DeclineProgram } from './inside/inside.ts';

type Autoconsent = typeof import('@duckduckgo/autoconsent', { with: { 'resolution-mode': 'require' }});
type Rules = Parameters<Autoconsent['filterCompactRules']>[0];

export interface BannerLibrary {
  program: PageProgram<DeclineProgram>;
  /** For pages, and the frames that share their process; of all the rules the larger part is for pages alone. */
  forPages: string;
  /** For frames in processes of their own. */
  forFrames: string;
  /** Declarations of functions that give whether something holds in a page. */
  snippets: ReadonlyMap<string, string>;
}

const name = '@duckduckgo/autoconsent';
const require = createRequire(import.meta.url);
let made: Promise<BannerLibrary> | undefined;

export function theLibrary(): Promise<BannerLibrary> {
  made ??= make().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}

async function make(): Promise<BannerLibrary> {
  const [source, rules] = await Promise.all(
    [name, `${name}/rules/compact-rules.json`].map((file) => readFile(require.resolve(file), 'utf8')),
  );
  const library = `const library = (() => { const module = { exports: {} };\n${source}\nreturn module.exports; })();`;
  const program = pageProgram<DeclineProgram>(join(import.meta.dirname, 'inside/decline'), () => [library]);
  const ofFrames = JSON.stringify(rulesOfFrames(JSON.parse(rules ?? '') as Rules));
  const { evalSnippets } = require(name) as Autoconsent;
  return {
    program,
    forPages: program.call('begin', rules ?? '', ofFrames),
    forFrames: program.call('begin', '', ofFrames),
    snippets: new Map(
      Object.entries(evalSnippets).map(([key, snippet]) => [key, `function () { return !!(${snippet})(); }`]),
    ),
  };
}

/** In the order in which the library keeps them, those of frames lie together. */
function rulesOfFrames({ v, s, r, index }: Rules): Rules {
  const [first, end] = index.frameRuleRange;
  const rules = r.slice(first, end);
  const none: [number, number] = [0, 0];
  return {
    v,
    s: s.slice(0, index.frameStringEnd),
    r: rules,
    index: { ...index, genericRuleRange: none, frameRuleRange: [0, rules.length], specificRuleRange: none },
  };
}
