/** Libraries that drive a browser by its CDP address. */
import assert from 'node:assert/strict';
import { snippet } from '../guide.ts';
import { runProgram } from '../programs.ts';
import type { Trial } from '../trial.ts';
import type { World } from '../world.ts';
import { atBrowser, programEnds, snippetPrints } from './driven.ts';

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

const newest = { project: 'with-playwright-1.65', framework: 'playwright-core' };

/** The guide's lines begin where a client has a page, and know a reference: both come from here. */
const refIsResolved = (world: World): Promise<void> =>
  atBrowser(world, async ({ id, signed }) => {
    await world.call('POST', `/v1/browsers/${id}/scrape`, { url: world.shop });
    const find = { role: 'button', name: 'Greet' };
    const { content } = await world.call<{ content: string }>('POST', `/v1/browsers/${id}/observe`, { find });
    const [, ref = ''] = /"Greet" \[ref=(\w+)\]/.exec(content) ?? [];
    const code = `import { chromium } from 'playwright-core';
      const browser = await chromium.connectOverCDP(${JSON.stringify(signed)});
      const [context] = browser.contexts();
      const [page] = context.pages();
      ${snippet('References of observations').replace("'e12'", JSON.stringify(ref))}
      console.log(object.description, typeof frameId);
      await browser.close();`;
    assert.equal((await runProgram(newest.project, code)).trim(), 'button string');
  });

const puppeteer = { project: 'with-puppeteer', framework: 'puppeteer-core' };
const remote = { project: 'with-chrome-remote-interface', framework: 'chrome-remote-interface' };

export const drivers: Trial[] = [
  ...['1.63', '1.64', '1.65'].flatMap(playwright),
  {
    ...newest,
    shows: 'the code of docs/cdp.md',
    run: snippetPrints(newest.project, () => snippet('Your own DevTools client', 'playwright'), ''),
  },
  { ...newest, shows: 'a reference of an observation becomes an element', run: refIsResolved },
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
