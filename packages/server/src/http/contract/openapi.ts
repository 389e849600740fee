/**
 * The OpenAPI document, made from the schemas that validate and the config that the hooks act on:
 *
 *   routes ──transform──> operations ──complete──> headers, examples, styles ──tidy──> openapi.json
 */
import swagger from '@fastify/swagger';
import type { RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { App } from '../wire/wire.ts';
import { type OpenapiDocument, tidyComponents } from './openapi-components.ts';

interface Parameter {
  in: string;
  name: string;
  [more: string]: unknown;
}

interface Message {
  content?: Record<string, { schema?: object; example?: unknown }>;
  [more: string]: unknown;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Message;
  responses: Record<string, Message>;
}

type Routes = Map<string, RouteOptions>;

const about = `Managed browsers over plain HTTP.

- Every call under \`/v1\` needs \`Authorization: Bearer <key>\`.
- Bodies and answers are JSON; times are ISO-8601 in UTC, durations milliseconds, sizes bytes. Unknown fields are refused.
- Every answer carries \`X-Request-Id\`. Every failure is \`{ "error": { code, message, details, category, nextStep } }\`.
- Lists are newest first. Pass \`nextCursor\` as \`cursor\` for the next page; the place stays while records come and go. Where they are large, a page has fewer than \`limit\`: \`hasMore\` says whether there are others.
- Calls are counted per key and minute: \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell how many are left.`;

const idempotencyHeader = (required: boolean): Parameter => ({
  in: 'header',
  name: 'Idempotency-Key',
  required,
  description:
    'A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '2f1c7a0e-6f0b-4f7e-9d55-0c4b5f1d9a11',
});

const preferHeader: Parameter = {
  in: 'header',
  name: 'Prefer',
  description:
    '`respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.',
  schema: { type: 'string' },
  examples: { async: { value: 'respond-async' }, queue: { value: 'wait=30' } },
};

const ifMatchHeader: Parameter = {
  in: 'header',
  name: 'If-Match',
  description:
    'The `epoch` of the browser: in any other the call is refused with `EPOCH_CHANGED`, and nothing has run.',
  schema: { type: 'string' },
  example: '"1"',
};

const requestIdHeader = {
  description: 'Names this exchange in the log; taken from the request if it sent a sane one.',
  schema: { type: 'string' as const },
};

const styles: Record<string, Partial<Parameter>> = {
  metadata: { style: 'deepObject', explode: true },
  status: { style: 'form', explode: true },
  type: { style: 'form', explode: true },
};

const uploadBody: Message = {
  required: true,
  content: {
    '*/*': { schema: {} },
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
        required: ['file'],
        additionalProperties: false,
      },
    },
  },
};

/** The page, the files beside it, and everything else that the JSON body has. */
const pageForm = (body: object | undefined) => ({
  schema: {
    type: 'object',
    description:
      'The page is the file called `index.html`; every other file is one that it names by a relative address, such as `style.css` or `images/logo.png`. The names of the parts do not matter, those of the files do.',
    properties: { options: body ?? {} },
    additionalProperties: { type: 'string', contentMediaType: 'application/octet-stream' },
  },
});

/** What the schemas alone cannot say of an operation. */
function complete(operation: Operation, route: RouteOptions): void {
  const { idempotency, prefers, ifMatch, upload, pageForm: takesForm, examples } = route.config ?? {};
  if (upload) operation.requestBody = uploadBody;
  const parameters = operation.parameters ?? [];
  for (const parameter of parameters) Object.assign(parameter, styles[parameter.name]);
  if (idempotency) parameters.push(idempotencyHeader(idempotency === 'required'));
  if (prefers) parameters.push(preferHeader);
  if (ifMatch) parameters.push(ifMatchHeader);
  if (parameters.length > 0) operation.parameters = parameters;
  const { requestBody, responses } = operation;
  if (requestBody) {
    const schema = route.schema?.body as z.ZodType | undefined;
    requestBody.required = schema?.safeParse({}).success !== true;
    exemplify(requestBody, examples?.request);
    const json = requestBody.content?.['application/json']?.schema;
    if (takesForm) requestBody.content = { ...requestBody.content, 'multipart/form-data': pageForm(json) };
  }
  for (const [status, answer] of Object.entries(responses)) {
    answer.headers = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
    const example = status === '201' ? (examples?.created ?? examples?.response) : examples?.response;
    if (status.startsWith('2')) exemplify(answer, example);
  }
}

const exemplify = (message: Message, example: unknown): void => {
  const media = message.content?.['application/json'];
  if (media && example !== undefined) media.example = example;
};

function completeAll(document: OpenapiDocument, routes: Routes): OpenapiDocument {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods) as Operation[]) {
      const route = routes.get(operation.operationId);
      if (route) complete(operation, route);
    }
  }
  return tidyComponents(document);
}

export async function describeApi(app: App, version: string): Promise<void> {
  const routes: Routes = new Map();
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'browserd',
        version,
        description: about,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
      tags: [
        { name: 'Browsers', description: 'Create, list, inspect, stop, resume and close browsers.' },
        { name: 'Tabs', description: 'The tabs of a browser: open, navigate, size, close.' },
        { name: 'Observations', description: 'What a page shows, in the size of a language model.' },
        { name: 'Captures', description: 'Screenshots and PDFs of the tabs of a browser.' },
        { name: 'Files', description: 'Give files to a browser, and fetch those it has made.' },
        {
          name: 'Project files',
          description: 'Files that belong to no browser: uploads and stored captures.',
        },
        { name: 'Live view', description: 'Watch a browser, take it over, hand it back.' },
        { name: 'CDP', description: 'Connect a DevTools client, and issue signed addresses for one.' },
        { name: 'Events', description: 'What happened, as lists and live streams.' },
        { name: 'Secrets', description: 'Values that the service types into pages and gives to no caller.' },
        { name: 'Webhooks', description: 'Be told of events; for keys of the role `admin`.' },
        { name: 'Quick actions', description: 'One request, one page, the result.' },
        { name: 'Scraping', description: 'The content of a page, without what stands around it.' },
        { name: 'Keys', description: 'API keys of the project; for keys of the role `admin`.' },
        { name: 'Nodes', description: 'The machines that serve the database; for the operator.' },
        { name: 'MCP', description: 'Tools for language models, by the Model Context Protocol.' },
        { name: 'Health', description: 'Liveness and readiness, without a key.' },
        { name: 'Pages', description: 'For people, and for their web browsers; without a key.' },
      ],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `bd_…`.' },
          token: { type: 'apiKey', in: 'query', name: 'token', description: 'A signed token: `bdc_…`.' },
        },
        headers: { RequestId: requestIdHeader },
      },
    },
    transform: (input) => {
      const { route } = input;
      if (route.schema?.operationId) routes.set(route.schema.operationId, route);
      // HEAD is answered wherever GET is; the document does not repeat it.
      if (route.method === 'HEAD') return { schema: { hide: true }, url: input.url };
      return jsonSchemaTransform(input as Parameters<typeof jsonSchemaTransform>[0]);
    },
    transformObject: (input) =>
      completeAll(
        jsonSchemaTransformObject(
          input as Parameters<typeof jsonSchemaTransformObject>[0],
        ) as unknown as OpenapiDocument,
        routes,
      ),
  });
}
