/** Frameworks that have a model decide what is done. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { filledIn, snippet } from '../guide.ts';
import { runProgram } from '../programs.ts';
import type { Trial } from '../trial.ts';
import { atBrowser, programEnds, snippetPrints } from './driven.ts';

const third = { project: 'with-stagehand-3', framework: '@browserbasehq/stagehand' };
const fourth = { project: 'with-stagehand-4', framework: '@browserbasehq/stagehand' };

/** Tried where there is the package for it. */
const recipe = snippet('browser-use');
const python = (code: string) => promisify(execFile)('python3', ['-c', code]);

export const agents: Trial[] = [
  {
    ...third,
    shows: 'the guide’s code: act, observe and extract with a model',
    run: snippetPrints(third.project, () => snippet('Stagehand 3'), /^Hello Ada 42$/m),
  },
  {
    ...third,
    shows: 'pages, locators, tabs, pictures, frames',
    run: programEnds(third.project, 'stagehand-3'),
  },
  {
    ...fourth,
    shows: 'is refused at once, with the reason that the guide gives',
    run: (world) =>
      atBrowser(world, async (at) => {
        const code = filledIn(snippet('Stagehand 4'), world, at);
        await assert.rejects(
          runProgram(fourth.project, code),
          /'Extensions\.getExtensions' is not allowed here/,
        );
      }),
  },
  {
    project: '',
    framework: 'browser-use',
    shows: 'the guide’s code, in Python',
    unavailable: () =>
      python('import browser_use').then(
        () => undefined,
        () => 'Python finds no package browser_use here',
      ),
    run: (world) =>
      atBrowser(world, async (at) => {
        const { stdout } = await python(filledIn(recipe, world, at));
        assert.match(stdout, /Shop/);
      }),
  },
];
