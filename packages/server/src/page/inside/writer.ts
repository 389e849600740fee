/** The program that writes down what other pages say, in a blank page of their Chromium: see `gather.ts`. */
import { unpack } from './branches.ts';
import type { Writing, Written } from './inside.ts';
import { writeDown } from './writing.ts';

export function write(branches: string, pageTitle: string, writing: Writing): Written {
  const page = document.implementation.createHTMLDocument(pageTitle);
  unpack(branches, page.body);
  return writeDown(page, writing);
}
