/**
 * Every schema with a name arrives twice, as `X` (what is sent) and `XInput` (what is accepted). Where one is enough
 * the document keeps one, under the plain name; schemas that no operation refers to are dropped.
 */
import { isDeepStrictEqual } from 'node:util';

type Schemas = Record<string, unknown>;

export interface OpenapiDocument {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Schemas; [more: string]: unknown };
  [more: string]: unknown;
}

const root = '#/components/schemas/';

const refsIn = (value: unknown): Set<string> =>
  new Set(
    [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name as string,
    ),
  );

function reachable(document: OpenapiDocument, schemas: Schemas): Set<string> {
  const found = new Set<string>();
  const waiting = [...refsIn(document.paths)];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    waiting.push(...refsIn(schemas[name] ?? {}));
  }
  return found;
}

const plain = (name: string): string => name.replace(/Input$/, '');

/** What zod writes for every time and whole number, and what is of no use to a reader. */
const isNoise = (owner: { format?: unknown }, key: string, item: unknown): boolean =>
  (key === 'pattern' && owner.format === 'date-time') ||
  (key === 'minimum' && item === Number.MIN_SAFE_INTEGER) ||
  (key === 'maximum' && item === Number.MAX_SAFE_INTEGER);

const withoutNoise = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), function (this: { format?: unknown }, key, item) {
    return isNoise(this, key, item) ? undefined : item;
  });

/** The same value with every `XInput` it refers to called `X`, for the names given. */
const renamed = <T>(value: T, names: ReadonlySet<string>): T =>
  JSON.parse(JSON.stringify(value), (key, item) =>
    key === '$ref' && typeof item === 'string' && names.has(item.slice(root.length)) ? plain(item) : item,
  );

export function tidyComponents(document: OpenapiDocument): OpenapiDocument {
  const { schemas } = document.components;
  const used = reachable(document, schemas);
  const twins = new Set([...used].filter((name) => name.endsWith('Input') && plain(name) in schemas));
  const mergeable = new Set(
    [...twins].filter(
      (name) =>
        !used.has(plain(name)) ||
        isDeepStrictEqual(renamed(schemas[name], twins), renamed(schemas[plain(name)], twins)),
    ),
  );
  const kept: Schemas = {};
  for (const name of [...used].sort())
    if (!mergeable.has(name) || !used.has(plain(name)))
      kept[mergeable.has(name) ? plain(name) : name] = schemas[name];
  const components = { ...document.components, schemas: kept };
  return withoutNoise(renamed({ ...document, components }, mergeable));
}
