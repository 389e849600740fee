import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** Checks an answer against openapi.json, so that the document and the service cannot drift apart. */
interface Document {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

const document = JSON.parse(
  readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'),
) as Document;

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(document, 'openapi.json');

const templates = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

const compiled = new Map<string, ValidateFunction>();

const pointer = (parts: string[]): string =>
  parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

export function expectContract(
  method: string,
  path: string,
  answer: { status: number; body: unknown },
): void {
  const route = path.split('?')[0] ?? path;
  // A path of its own comes before one with an id in its place.
  const template =
    route in document.paths ? route : templates.find(({ pattern }) => pattern.test(route))?.path;
  const operation = template && document.paths[template]?.[method.toLowerCase()];
  // An unknown route or method has no description; its error is still in the one shape.
  if (!operation) {
    expect(answer.body, `${method} ${path}`).toMatchObject({ error: { code: expect.any(String) } });
    return;
  }
  const status = String(answer.status);
  if (!(status in operation.responses))
    expect.fail(`${method} ${template} answers ${status}, which openapi.json does not list`);
  const parts = ['paths', template, method.toLowerCase(), 'responses', status, 'content'];
  const reference = `openapi.json#/${pointer([...parts, 'application/json', 'schema'])}`;
  const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
  compiled.set(reference, validate);
  // Nearly all answers are right, and there are many: the rest of this is for one that is not.
  if (validate(answer.body)) return;
  expect(validate.errors, `${method} ${template} ${status}: ${JSON.stringify(answer.body)}`).toEqual([]);
}
