/**
 * Generates the parts of the SDK that follow from the contract: types, and a table of operations. `--check` writes nothing
 * and fails when one of them is stale.
 *
 *   openapi.json ──> src/generated/schemas.ts      every schema; of every operation its parameters and answers
 *                └─> src/generated/operations.ts   operation id → method, path, whether it takes an Idempotency-Key
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

const contract = resolve(import.meta.dirname, '../../openapi.json');
const output = join(import.meta.dirname, 'src/generated');
const note = '// Generated from openapi.json by `npm run generate`. Do not edit.\n';

interface Operation {
  operationId: string;
  parameters?: { name: string }[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}
const document = JSON.parse(await readFile(contract, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown> };
};
/** Pages for people and the address of another protocol (`/`, `/docs`, `/live`, `/mcp`) are no calls of a client. */
const isCall = (path: string): boolean => /^\/(v1|health|metrics)\b/.test(path);
const operations = Object.entries(document.paths)
  .filter(([path]) => isCall(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  );
const typeName = (operationId: string): string =>
  operationId
    .replace('_', '')
    .replace(/Controller(.)/, (_, letter: string) => `Controller${letter.toUpperCase()}`);

/** The contract without what is no call, and without the schemas that only that refers to. */
function onlyCalls(): Record<string, unknown> {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isCall(path)));
  const { schemas } = document.components;
  const text = JSON.stringify([paths, schemas]);
  const used = Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  const components = { ...document.components, schemas: Object.fromEntries(used) };
  return { ...document, paths, components };
}

async function types(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-sdk-types-'));
  try {
    const plugins = ['@hey-api/typescript' as const];
    const logs = { level: 'silent', file: false } as const;
    await createClient({ input: onlyCalls(), output: folder, plugins, logs });
    const source = await readFile(join(folder, 'types.gen.ts'), 'utf8');
    return note + withoutErrors(source.replace(/^\/\/ This file is auto-generated.*\n/, ''));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The types of errors repeat the error table for every operation; the SDK has one error type. */
const withoutErrors = (source: string): string =>
  source
    .replace(/export type \w+Controller\w+Errors = \{\n[\s\S]*?\n\};\n\n/g, '')
    .replace(/export type \w+Controller\w+Error = .*;\n\n/g, '');

function table(): string {
  const rows = operations.map(({ operationId, method, path, parameters = [] }) => {
    const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
    return `  ${operationId}: ['${method}', '${path}'${takesKey ? ', true' : ''}],\n`;
  });
  const members = operations.map(({ operationId, responses }) => {
    const name = typeName(operationId);
    const json = Object.entries(responses).some(
      ([status, { content }]) => status.startsWith('2') && content?.['application/json'],
    );
    const answer = json ? `types.${name}Response` : 'never';
    return `  ${operationId}: { takes: types.${name}Data; answers: ${answer} };\n`;
  });
  return `${note}import type * as types from './schemas.ts';

/** Method, path, and whether an Idempotency-Key goes along. */
export const operations = {
${rows.join('')}} as const satisfies Record<string, readonly [method: string, path: string, takesKey?: true]>;

export interface Operations {
${members.join('')}}
`;
}

const files = { 'schemas.ts': await types(), 'operations.ts': table() };
for (const [name, wanted] of Object.entries(files)) {
  const path = join(output, name);
  if (!process.argv.includes('--check')) await writeFile(path, wanted);
  else if ((await readFile(path, 'utf8').catch(() => '')) !== wanted) {
    process.stderr.write(`packages/sdk/src/generated/${name} is stale. Run: npm run generate\n`);
    process.exitCode = 1;
  }
}
