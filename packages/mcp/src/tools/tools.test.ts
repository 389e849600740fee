import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { version } from '../server/server.ts';
import { actions } from './act-script.ts';
import { tools } from './tools.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the guide names every tool, and no other', () => {
  const rows = [...read('../../../../docs/mcp.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(tools.map(({ name }) => name).sort());
});

test('every tool says what it is and what it may do', () => {
  for (const { name, title, description, annotations } of tools) {
    expect(name).toMatch(/^(browser|page)_[a-z_]+$/);
    expect([name, title.length > 0, description.length > 40]).toEqual([name, true, true]);
    expect(annotations).toMatchObject({
      readOnlyHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean),
    });
    if (!annotations.readOnlyHint) expect(annotations.destructiveHint).toBeTypeOf('boolean');
  }
});

test('inputs are plain objects, which every model provider takes', () => {
  for (const { name, input } of tools) {
    const schema = z.toJSONSchema(input, { io: 'input' });
    expect([name, schema.type, schema.anyOf ?? schema.oneOf]).toEqual([name, 'object', undefined]);
  }
});

test('what all tools say of themselves fits beside other work', () => {
  const listed = tools.map(({ name, description, input }) => [name, description, z.toJSONSchema(input)]);
  expect(JSON.stringify(listed).length).toBeLessThan(20_000);
});

test('the steps of browser_act are in its description', () => {
  const { description = '' } = tools.find(({ name }) => name === 'browser_act') ?? {};
  for (const action of actions) expect(description).toMatch(new RegExp(`\\b${action}\\b`));
});

test('the version is that of the package', () => {
  expect(version).toBe(JSON.parse(read('../../package.json')).version);
});

test('a string in structured content is a word of the service, an address of its own, or fenced', () => {
  /** What callers name themselves. */
  const named = ['name'];
  const loose = (schema: unknown, key = ''): string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { type, pattern, enum: oneOf } = schema as Record<string, unknown>;
    const open = type === 'string' ? !pattern && !oneOf && !named.includes(key) : isAnything(schema);
    return [
      ...(open ? [key] : []),
      ...Object.entries(schema).flatMap(([name, part]) => loose(part, /^\d+$/.test(name) ? key : name)),
    ];
  };
  const isAnything = (schema: object): boolean =>
    'description' in schema && !['type', 'anyOf', 'enum', 'properties'].some((word) => word in schema);
  for (const { name, output } of tools)
    expect([name, output ? loose(z.toJSONSchema(output)) : []]).toEqual([name, []]);
});
