/**
 * The caller's JSON Schema, checked and made plain for the program that fills it in the page: references are followed, what
 * cannot be promised is refused by name, and the whole of it is bounded.
 */
import type { Wanted, WantedProperty } from '../inside/data-schema.ts';

const deepest = 8;
const mostSchemas = 500;
const longestWord = 4096;
const mostChoices = 500;

/** Where the fault lies, as names from the root of the schema, and what it is. */
export class SchemaProblem extends Error {
  readonly path: string[];
  constructor(path: readonly string[], reason: string) {
    super(`${pointerTo(path)}: ${reason}`);
    this.path = [...path];
  }
}

const pointerTo = (path: readonly string[]): string =>
  ['#', ...path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');

type Schema = Record<string, unknown>;
type Kind = Wanted['type'];

const kinds: readonly string[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
] satisfies Kind[];

/** They say something to readers, and nothing about values. */
const remarks = [
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
  ...['$schema', '$id', '$comment', '$defs', 'definitions'],
];
const understood = new Set([
  ...remarks,
  ...['type', 'enum', 'const', 'nullable', 'anyOf', 'oneOf', '$ref', 'format', 'pattern'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'items', 'properties', 'required'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'additionalProperties'],
]);

interface Place {
  path: string[];
  depth: number;
  /** References that led here. */
  through: readonly string[];
}

/** Throws a `SchemaProblem` for what it does not take. */
export function wantedOf(schema: Schema): Wanted {
  const wanted = new Reader(schema).read(schema, { path: [], depth: 0, through: [] });
  if (wanted.type !== 'object')
    throw new SchemaProblem(
      wanted.path.concat('type'),
      'the outermost schema is of the type object; put a list into a property of it',
    );
  return wanted;
}

class Reader {
  readonly #root: Schema;
  #left = mostSchemas;

  constructor(root: Schema) {
    this.#root = root;
  }

  read(given: unknown, place: Place): Wanted {
    const { path } = place;
    if (!isSchema(given)) throw new SchemaProblem(path, 'expected a schema, which is an object');
    if (place.depth > deepest)
      throw new SchemaProblem(path, `more than ${deepest} schemas within each other`);
    if (this.#left-- <= 0) throw new SchemaProblem(path, `more than ${mostSchemas} schemas in all`);
    for (const keyword of Object.keys(given))
      if (!understood.has(keyword) && !keyword.startsWith('x-'))
        throw new SchemaProblem([...path, keyword], `the keyword ${keyword.slice(0, 100)} is not supported`);
    if (typeof given.$ref === 'string' || given.$ref !== undefined) return this.#referred(given, place);
    const branches = given.anyOf === undefined ? 'oneOf' : 'anyOf';
    if (given[branches] !== undefined) return this.#orNull(given, branches, place);
    return this.#plain(given, place);
  }

  /** What stands beside a reference holds too. */
  #referred({ $ref, ...beside }: Schema, place: Place): Wanted {
    const path = [...place.path, '$ref'];
    if (typeof $ref !== 'string' || !/^#\/(?:\$defs|definitions)\//.test($ref))
      throw new SchemaProblem(path, 'only references to #/$defs/… of this schema are followed');
    if (place.through.includes($ref))
      throw new SchemaProblem(path, `${$ref.slice(0, 100)} refers to itself, so its data would have no end`);
    let target: unknown = this.#root;
    for (const part of $ref.slice(2).split('/').map(unescaped))
      target = isSchema(target) && Object.hasOwn(target, part) ? target[part] : undefined;
    if (!isSchema(target)) throw new SchemaProblem(path, `there is nothing at ${$ref.slice(0, 100)}`);
    return this.read(
      { ...target, ...beside },
      { ...place, depth: place.depth + 1, through: [...place.through, $ref] },
    );
  }

  /** The way in which generators of schemas write an optional value. */
  #orNull(given: Schema, keyword: 'anyOf' | 'oneOf', place: Place): Wanted {
    const { [keyword]: branches, ...beside } = given;
    const path = [...place.path, keyword];
    const others = Array.isArray(branches)
      ? branches.filter((each) => !isSchema(each) || each.type !== 'null')
      : [];
    if (!Array.isArray(branches) || others.length !== 1 || !isSchema(others[0]))
      throw new SchemaProblem(path, 'only one schema, alone or beside {"type": "null"}, is supported');
    const at = String(branches.indexOf(others[0]));
    const wanted = this.read(
      { ...beside, ...others[0] },
      { ...place, path: [...path, at], depth: place.depth + 1 },
    );
    return { ...wanted, nullable: wanted.nullable || branches.length > 1 };
  }

  #plain(given: Schema, place: Place): Wanted {
    const { path } = place;
    const words = new Words(given, path);
    const { type, nullable } = typeOf(given, path);
    const isNumber = type === 'number' || type === 'integer';
    return {
      type,
      nullable,
      path,
      names: words.list('x-names'),
      kind: words.text('x-type') ?? words.text('title'),
      selector: words.text('x-selector'),
      attribute: words.text('x-attribute'),
      choices: choicesOf(given, path),
      format: words.text('format'),
      pattern: words.pattern(),
      least: isNumber ? words.number('minimum') : words.count(type === 'array' ? 'minItems' : 'minLength'),
      most: isNumber ? words.number('maximum') : words.count(type === 'array' ? 'maxItems' : 'maxLength'),
      above: words.number('exclusiveMinimum'),
      below: words.number('exclusiveMaximum'),
      multipleOf: words.step(),
      unique: given.uniqueItems === true,
      properties: type === 'object' ? this.#properties(given, place) : [],
      ...(type === 'array' && { items: this.#items(given, place) }),
    };
  }

  #properties(
    { properties, required = [], additionalProperties = false }: Schema,
    place: Place,
  ): WantedProperty[] {
    const at = (keyword: string) => [...place.path, keyword];
    if (!isSchema(properties) || Object.keys(properties).length === 0)
      throw new SchemaProblem(
        at('properties'),
        'an object needs properties: what to look for is their names',
      );
    if (typeof additionalProperties !== 'boolean')
      throw new SchemaProblem(
        at('additionalProperties'),
        'is true or false here: properties are looked for by name',
      );
    if (
      !Array.isArray(required) ||
      !required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))
    )
      throw new SchemaProblem(at('required'), 'expected a list of names that are in properties');
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      required: required.includes(name),
      wanted: this.read(schema, { ...place, path: [...at('properties'), name], depth: place.depth + 1 }),
    }));
  }

  #items({ items }: Schema, place: Place): Wanted {
    const path = [...place.path, 'items'];
    const wanted = this.read(items, { ...place, path, depth: place.depth + 1 });
    if (wanted.type === 'array') throw new SchemaProblem(path, 'lists of lists are not supported');
    return wanted;
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function typeOf(given: Schema, path: readonly string[]): { type: Kind; nullable: boolean } {
  const { type = guessed(given), nullable = false } = given;
  const all = Array.isArray(type) ? type : [type];
  const [one, ...more] = all.filter((each) => each !== 'null');
  if (more.length > 0)
    throw new SchemaProblem([...path, 'type'], 'one type, alone or beside null, is supported');
  if (typeof one !== 'string' || !kinds.includes(one))
    throw new SchemaProblem([...path, 'type'], `expected one of ${kinds.join(', ')}`);
  return { type: one as Kind, nullable: nullable === true || all.includes('null') };
}

/** Where a schema does not say it. */
function guessed({ properties, items, enum: choices, const: only }: Schema): string {
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const [first = only] = Array.isArray(choices) ? choices : [];
  return typeof first === 'number' || typeof first === 'boolean' ? typeof first : 'string';
}

function choicesOf({ enum: choices, const: only }: Schema, path: readonly string[]): Wanted['choices'] {
  if (choices === undefined && only === undefined) return undefined;
  const all: unknown = choices ?? [only];
  const at = [...path, choices === undefined ? 'const' : 'enum'];
  const isScalar = (each: unknown) => ['string', 'number', 'boolean'].includes(typeof each);
  if (
    !Array.isArray(all) ||
    all.length > mostChoices ||
    !all.every((each) => each === null || isScalar(each))
  )
    throw new SchemaProblem(at, `expected up to ${mostChoices} texts, numbers or booleans`);
  return all.filter((each) => each !== null);
}

/** Keywords with single values, each of which may be wrong. */
class Words {
  readonly #given: Schema;
  readonly #path: readonly string[];

  constructor(given: Schema, path: readonly string[]) {
    this.#given = given;
    this.#path = path;
  }

  text(keyword: string): string | undefined {
    const value = this.#given[keyword];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '' && value.length <= longestWord) return value;
    throw this.#problem(keyword, `expected a text of up to ${longestWord} characters`);
  }

  list(keyword: string): string[] {
    const value = this.#given[keyword] ?? [];
    const all: unknown[] = Array.isArray(value) ? value : [value];
    if (all.length <= 20 && all.every((each) => typeof each === 'string' && each.length <= 200))
      return all as string[];
    throw this.#problem(keyword, 'expected up to 20 names');
  }

  number(keyword: string): number | undefined {
    const value = this.#given[keyword];
    if (value === undefined || typeof value === 'number') return value;
    throw this.#problem(keyword, 'expected a number');
  }

  count(keyword: string): number | undefined {
    const value = this.number(keyword);
    if (value === undefined || (Number.isInteger(value) && value >= 0)) return value;
    throw this.#problem(keyword, 'expected a whole number');
  }

  step(): number | undefined {
    const value = this.number('multipleOf');
    if (value === undefined || value > 0) return value;
    throw this.#problem('multipleOf', 'expected a number above 0');
  }

  /** Only made here; it is run in the page. */
  pattern(): string | undefined {
    const source = this.text('pattern');
    try {
      if (source !== undefined) new RegExp(source, 'u');
      return source;
    } catch {
      throw this.#problem('pattern', 'is no regular expression of JavaScript');
    }
  }

  #problem(keyword: string, reason: string): SchemaProblem {
    return new SchemaProblem([...this.#path, keyword], reason);
  }
}
