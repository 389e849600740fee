/** Runs checks at a bare Chromium and at a browser of the service, side by side. */
import type { Engine } from '../src/kit/engine.ts';
import { areas } from './checks/checks.ts';
import { outcomeOf } from './client.ts';
import type { ConformanceSite } from './site.ts';
import type { Result } from './verdict.ts';

export interface Sides {
  engine: Engine;
  /** Addresses for clients. */
  bare: string;
  ours: string;
  site: ConformanceSite;
}

/** `area: check` of every check. */
export const allChecks: readonly string[] = Object.entries(areas).flatMap(([area, checks]) =>
  Object.keys(checks).map((name) => `${area}: ${name}`),
);

export async function compare(
  { engine, bare, ours, site }: Sides,
  wanted: (check: string) => boolean,
  onResult: (result: Result) => void = () => undefined,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [area, checks] of Object.entries(areas))
    for (const [name, check] of Object.entries(checks)) {
      const id = `${area}: ${name}`;
      if (!wanted(id)) continue;
      const sides = [bare, ours].map((url) => outcomeOf(check, url, site));
      const [atBare, atOurs] = await Promise.all(sides);
      const result: Result = { check: id, engine, bare: atBare, ours: atOurs };
      results.push(result);
      onResult(result);
    }
  return results;
}
