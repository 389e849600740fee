/** All tools, in the order in which a model reads them. Few on purpose: every further tool makes the choice harder. */
import { act } from './act.ts';
import { computer } from './computer.ts';
import { consoleErrors } from './console.ts';
import { create } from './create.ts';
import { dialog } from './dialog.ts';
import { files } from './files.ts';
import { list } from './list.ts';
import { manage } from './manage.ts';
import { map } from './map.ts';
import { network } from './network.ts';
import { observe } from './observe.ts';
import { run } from './run.ts';
import { scrape } from './scrape.ts';
import { screenshot } from './screenshot.ts';
import { status } from './status.ts';
import { tabs } from './tabs.ts';
import type { Tool } from './tool.ts';
import { waitForHuman } from './wait-for-human.ts';

export type { Tool } from './tool.ts';

export const tools: Tool[] = [
  create,
  observe,
  act,
  run,
  screenshot,
  computer,
  scrape,
  map,
  files,
  dialog,
  tabs,
  consoleErrors,
  network,
  waitForHuman,
  status,
  list,
  manage,
];
