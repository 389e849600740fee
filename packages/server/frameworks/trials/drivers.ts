/** Libraries that drive a browser by its CDP address. */
import { snippet } from '../guide.ts';
import type { Trial } from '../trial.ts';
import { programEnds, snippetPrints } from './driven.ts';

const playwright = (version: string): Trial[] => {
  const project = `with-playwright-${version}`;
  const about = { project, framework: 'playwright-core' };
  return [
    {
      ...about,
      shows: 'the guide’s code, by http address and key',
      run: snippetPrints(project, () => snippet('Playwright'), 'Shop'),
    },
    {
      ...about,
      shows: 'forms, dialogs, pop-ups, downloads, uploads, frames, routes, traces, contexts',
      run: programEnds(project, 'playwright'),
    },
  ];
};

const puppeteer = { project: 'with-puppeteer', framework: 'puppeteer-core' };
const remote = { project: 'with-chrome-remote-interface', framework: 'chrome-remote-interface' };

export const drivers: Trial[] = [
  ...['1.63', '1.64', '1.65'].flatMap(playwright),
  {
    project: 'with-playwright-1.65',
    framework: 'playwright-core',
    shows: 'the code of docs/cdp.md',
    run: snippetPrints('with-playwright-1.65', () => snippet('Your own DevTools client', 'playwright'), ''),
  },
  {
    ...puppeteer,
    shows: 'the guide’s code, by ws address and key',
    run: snippetPrints(puppeteer.project, () => snippet('Puppeteer'), 'Shop'),
  },
  {
    ...puppeteer,
    shows: 'the code of docs/cdp.md',
    run: snippetPrints(puppeteer.project, () => snippet('Your own DevTools client', 'puppeteer'), ''),
  },
  {
    ...puppeteer,
    shows: 'forms, dialogs, pop-ups, frames, interception, PDF, coverage, contexts',
    run: programEnds(puppeteer.project, 'puppeteer'),
  },
  {
    ...remote,
    shows: 'the guide’s code: /json/list, new, protocol, activate, close, a socket to a page',
    run: snippetPrints(remote.project, () => snippet('chrome-remote-interface'), 'Shop'),
  },
];
