import type { Tool } from './tool.ts';
import { act } from './tools/act.ts';
import { create } from './tools/create.ts';
import { dialog } from './tools/dialog.ts';
import { files } from './tools/files.ts';
import { list } from './tools/list.ts';
import { manage } from './tools/manage.ts';
import { observe } from './tools/observe.ts';
import { run } from './tools/run.ts';
import { scrape } from './tools/scrape.ts';
import { screenshot } from './tools/screenshot.ts';
import { status } from './tools/status.ts';
import { waitForHuman } from './tools/wait-for-human.ts';

/** All of them, in the order in which a model meets them. Few on purpose: each one more makes the choice harder. */
export const tools: Tool[] = [
  create,
  observe,
  act,
  run,
  screenshot,
  scrape,
  files,
  dialog,
  waitForHuman,
  status,
  list,
  manage,
];
