/**
 * What is wrong with a file for Docker Compose or Kubernetes, by the schemas of the two. A field that a schema does not know
 * is wrong, too: most mistakes are a word that is spelt otherwise, and Kubernetes would drop such a field in silence.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const composeSchema = join(
  dirname(createRequire(import.meta.url).resolve('dclint/package.json')),
  'schemas/compose.schema.json',
);

export const readCompose = (text) => parse(text, { merge: true });

export function composeProblems(compose) {
  const { $schema: _, ...schema } = JSON.parse(readFileSync(composeSchema, 'utf8'));
  const check = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
  if (check(compose)) return [];
  return check.errors.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

export const readResources = (text) => parseAllDocuments(text).map((document) => document.toJS());

export async function kubernetesProblems(resource) {
  const { apiVersion, kind, metadata } = resource;
  const name = `${kind} ${metadata?.name}`;
  const models = await import(`kubernetes-models/${apiVersion}`).catch(() => ({}));
  if (!models[kind]) return [`${name}: there is no kind ${kind} in ${apiVersion}`];
  const { watched, unread } = watch(resource);
  try {
    // The schemas are compiled into functions, which say what is wrong with fields that they know.
    models[kind].prototype.validate.call(watched);
  } catch (error) {
    return [`${name}: ${error.message}`];
  }
  return unread().map((path) => `${name}: Kubernetes knows no field ${path}`);
}

/** A check reads every field that it knows, so a field that it never read is one that it does not know. */
function watch(value, path = '') {
  const read = new Set();
  const inside = new Map();
  const watched = new Proxy(value, {
    get(target, key) {
      const found = target[key];
      if (typeof key === 'string' && Object.hasOwn(target, key)) read.add(key);
      if (typeof found !== 'object' || found === null) return found;
      if (!inside.has(key)) inside.set(key, watch(found, `${path}/${String(key)}`));
      return inside.get(key).watched;
    },
  });
  const unread = () => [
    ...Object.keys(value)
      .filter((key) => !read.has(key))
      .map((key) => `${path}/${key}`),
    ...[...inside.values()].flatMap((each) => each.unread()),
  ];
  return { watched, unread };
}
