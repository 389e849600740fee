/**
 * A page and the files beside it as a form (RFC 7578), as HTML forms, `curl -F` and Gotenberg's clients send them:
 *
 *   index.html ──> html · any other file ──> assets, by its file name · options ──> every other field of the call, as JSON
 *
 * What comes of it is the body that the caller could have sent as JSON, and is checked like one. A form is as large as such a
 * body may be, so it is held in memory whole.
 */
import type { FastifyRequest } from 'fastify';
import type { App } from '../wire/wire.ts';
import { findHarmful, readJsonOf } from './body.ts';
import { ByteCursor } from './byte-cursor.ts';
import { boundaryOf, broken, closing, delimiterOf, mostOverhead, readHead } from './multipart.ts';
import { validationFailed } from './validate.ts';

const page = 'index.html';
const options = 'options';
/** The files that a call takes, the page, and the options. */
const mostParts = 202;

/** For a scope of routes whose body has `html` and `assets`. */
export function acceptPageForms(app: App): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => readPageForm(request, bytes),
  );
}

const refused = (path: string, reason: string): Error =>
  validationFailed('form', [{ path: path.slice(0, 200), reason }]);

async function readPageForm(request: FastifyRequest, bytes: Buffer): Promise<Record<string, unknown>> {
  const files = new Map<string, Buffer>();
  let fields: Record<string, unknown> | undefined;
  for await (const part of partsOf(bytes, boundaryOf(request.headers['content-type']) ?? '')) {
    if (part.name === options) {
      if (fields) throw refused(options, 'sent twice');
      fields = await fieldsOf(request, part.content);
    } else if (part.filename) {
      if (files.has(part.filename)) throw refused(part.filename, 'two files have this name');
      files.set(part.filename, part.content);
    } else
      throw refused(
        part.name ?? '',
        `no file, as it has no file name: send the fields of the call as JSON in one part called \`${options}\``,
      );
  }
  return bodyOf(fields ?? {}, files);
}

interface Part {
  name?: string;
  filename?: string;
  content: Buffer;
}

async function* partsOf(bytes: Buffer, boundary: string): AsyncGenerator<Part> {
  const { delimiter, before } = delimiterOf(boundary);
  const cursor = new ByteCursor(once(bytes), before);
  if ((await cursor.readUntil(delimiter, mostOverhead)) === undefined)
    throw broken('its first boundary is missing');
  for (let count = 1; !(await cursor.startsWith(closing)); count++) {
    if (count > mostParts) throw refused('', `more than ${mostParts} parts: a call takes 200 files`);
    const { name, filename } = await readHead(cursor);
    const content = await cursor.readUntil(delimiter, bytes.length);
    if (content === undefined) throw broken('it ends within a part');
    yield { name, filename, content };
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function fieldsOf(request: FastifyRequest, content: Buffer): Promise<Record<string, unknown>> {
  const fields = await readJsonOf(request, content);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw refused(options, 'not a JSON object with the fields of the call');
  return fields as Record<string, unknown>;
}

function bodyOf(
  { html, assets = [], ...fields }: Record<string, unknown>,
  files: Map<string, Buffer>,
): Record<string, unknown> {
  const sent = files.get(page);
  if (sent && html !== undefined) throw refused(page, `the page is given twice: here, and in \`${options}\``);
  if (!sent && html === undefined && files.size > 0)
    throw refused(page, 'missing: the page itself is the file of this name, the others are what it names');
  files.delete(page);
  const beside = [...files].map(([name, content]) => ({ name, content: content.toString('base64') }));
  const body = {
    ...fields,
    ...(html !== undefined && { html }),
    ...(sent && { html: textOf(sent) }),
    ...((beside.length > 0 || !isEmpty(assets)) && {
      assets: Array.isArray(assets) ? [...assets, ...beside] : assets,
    }),
  };
  const harm = findHarmful([body.html, ...files.keys()]);
  if (harm) throw refused(page, harm.reason);
  return body;
}

const isEmpty = (assets: unknown): boolean => Array.isArray(assets) && assets.length === 0;

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(page, 'not UTF-8');
  }
}
