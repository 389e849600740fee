/**
 * The filter lists that the operator provides, such as EasyList, under the names of their files. They are read once, before the
 * service listens: making one ready takes the loop for as long as a second.
 *
 * Only what they say about requests is used. Filters that are regular expressions are left out, and of very long addresses only
 * the beginning is looked at, so that no page decides how long an answer takes.
 *
 * The package that reads them takes longer to load than all else of this room, so a service without lists does without it.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FiltersEngine } from '@ghostery/adblocker';
import { SetupError } from '../../kit/setup-error.ts';
import type { Policy } from '../record/policy-schema.ts';
import { invalid } from '../record/record.ts';
import type { Asked } from './asked.ts';

const ending = '.txt';
const nameOf = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const longestAddress = 2048;

const engineTypes = {
  document: 'sub_frame',
  stylesheet: 'stylesheet',
  script: 'script',
  image: 'image',
  font: 'font',
  media: 'media',
  fetch: 'xmlhttprequest',
  ping: 'ping',
  other: 'other',
} as const;

type Adblocker = typeof import('@ghostery/adblocker');

export class FilterLists {
  readonly #engines: ReadonlyMap<string, FiltersEngine>;
  /** There is none without lists. */
  readonly #adblocker: Adblocker | undefined;

  private constructor(engines: ReadonlyMap<string, FiltersEngine>, adblocker?: Adblocker) {
    this.#engines = engines;
    this.#adblocker = adblocker;
  }

  /** From files, and from the files in folders. */
  static async read(paths: readonly string[]): Promise<FilterLists> {
    const engines = new Map<string, FiltersEngine>();
    const files = (await Promise.all(paths.map(filesAt))).flat();
    if (files.length === 0) return new FilterLists(engines);
    const adblocker = await import('@ghostery/adblocker');
    for (const file of files) {
      const name = basename(file, ending).toLowerCase();
      if (!nameOf.test(name) || engines.has(name))
        throw new SetupError(
          `BROWSERD_FILTER_LISTS is wrong: ${file} would be the list \`${name}\`, ${engines.has(name) ? 'as another file already is' : 'which is no name: use letters, digits, dots, hyphens and underscores'}.`,
        );
      engines.set(name, engineOf(adblocker, await readFile(file, 'utf8')));
    }
    return new FilterLists(engines, adblocker);
  }

  refuseUnknown(policy: Policy | undefined): void {
    const names = [...this.#engines.keys()];
    for (const [i, name] of (policy?.lists ?? []).entries()) {
      if (this.#engines.has(name)) continue;
      throw invalid(
        ['policy', 'lists', i],
        names.length > 0
          ? `is no list of this service. It has: ${names.join(', ')}`
          : 'is no list of this service, which has none: its operator provides them with BROWSERD_FILTER_LISTS',
      );
    }
  }

  /** The first of these that blocks a request. One that the operator has taken away since blocks nothing. */
  blocking(names: readonly string[], asked: Asked): string | undefined {
    const request = this.#adblocker?.Request.fromRawDetails({
      url: asked.url.slice(0, longestAddress),
      sourceUrl: asked.source?.href.slice(0, longestAddress),
      type: asked.isPage ? 'main_frame' : engineTypes[asked.type],
    });
    return request && names.find((name) => this.#engines.get(name)?.match(request).match);
  }
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => name.endsWith(ending));
    return names.toSorted().map((name) => join(path, name));
  } catch (error) {
    throw new SetupError(
      `BROWSERD_FILTER_LISTS is wrong: ${path} cannot be read: ${(error as Error).message}.`,
    );
  }
}

function engineOf({ Config, FiltersEngine, parseFilters }: Adblocker, text: string): FiltersEngine {
  const config = new Config({
    loadCosmeticFilters: false,
    loadCSPFilters: false,
    guessRequestTypeFromUrl: false,
  });
  const { networkFilters } = parseFilters(text, config);
  return new FiltersEngine({
    config,
    networkFilters: networkFilters.filter((filter) => !filter.isFullRegex()),
  });
}
