import { expect, test } from 'vitest';
import { aBrowser } from '../../../tests/support/samples.ts';
import { emulationOf } from '../live/live.ts';
import type { Field } from './field.ts';
import { fields } from './field-schema.ts';
import { browserSchema, type CreateBrowser, createBrowserSchema, patchBrowserSchema } from './schema.ts';
import { givenColumns, givenSettings, settingsIn, settingsOf } from './settings.ts';
import type { WithIdentities } from './trust.ts';
import { viewOf } from './view.ts';

const engines = { default: 'shell' as const, found: ['shell' as const, 'full' as const] };
/** Only what is stored otherwise than it is given needs an example; any other value goes through as it is. */
const examples: Record<string, unknown> = {
  policy: { blockedDomains: ['example.com'] },
  proxy: 'http://proxy.example:8080',
  permissions: { geolocation: 'granted' },
  device: 'pixel',
  httpCredentials: [{ origin: 'https://a.test', username: 'ada', password: 'open sesame' }],
  tls: { ignoreErrorsFor: ['a.test'] },
  clientCertificates: [{ origin: 'https://a.test', cert: '…', key: '…', subject: 'CN=ada' }],
  engine: 'full',
  memoryMb: 512,
};
const memory = { defaultMb: 2048, mostMb: 4096 };
const any = { value: 'of whatever kind' };
const rows = Object.entries(fields as Record<string, Field>).filter(([name]) => name !== 'profile');
const settings = rows.filter(([, { column }]) => !column);
const given = Object.fromEntries(
  settings.map(([name]) => [name, examples[name] ?? any]),
) as unknown as WithIdentities<CreateBrowser>;

test('every field of a create, except columns of the record, reaches its settings', () => {
  expect(Object.keys(createBrowserSchema.shape)).toEqual(Object.keys(fields));
  const stored = settingsOf(given, engines, memory) as unknown as Record<string, unknown>;
  for (const [name] of settings) {
    expect(stored, name).toHaveProperty(name);
    if (!examples[name]) expect(stored[name], name).toEqual(any);
  }
});

test('every field that is to be shown is part of the record as its owner sees it, and no other', () => {
  const record = aBrowser({ projectId: 'project_1', settings: { ...settingsOf(given, engines, memory) } });
  const view = viewOf(record) as Record<string, unknown>;
  for (const [name, { shown }] of settings) {
    expect(name in browserSchema.shape, name).toBe(shown !== undefined);
    expect(view[name] !== undefined, name).toBe(shown !== undefined);
  }
});

test('every field that may be changed is stored by a change, and no other is part of one', () => {
  for (const [name, { patch, column }] of rows) {
    expect(name in patchBrowserSchema.shape, name).toBe(patch !== undefined);
    if (patch && !column) expect(givenSettings({ [name]: given[name as 'policy'] })).toHaveProperty(name);
    const columns = givenColumns({ [name]: 5000 }, { createdAt: 1000 });
    expect(Object.keys(columns).includes(name), name).toBe(patch !== undefined && column === true);
    if (name === 'maxDuration') expect(columns).toHaveProperty('expiresAt', 6000);
  }
  expect(givenColumns({ name: null, idleTimeout: null }, { createdAt: 1 })).toEqual({
    name: null,
    idleTimeout: null,
  });
});

test('every field that is emulated reaches the tabs, and no other', () => {
  const emulated = settings.filter(([, field]) => field.emulated).map(([name]) => name);
  expect(Object.keys(emulationOf(settingsOf(given, engines, memory))).toSorted()).toEqual(
    emulated.toSorted(),
  );
});

test('a create without any field, and a record older than a field, has the defaults of the table', () => {
  const defaults = settings.flatMap(([name, field]) => (field.default === undefined ? [] : [name]));
  const stored = settingsOf({}, engines, memory);
  expect(Object.keys(stored).toSorted()).toEqual([...defaults, 'engine', 'memoryMb'].toSorted());
  for (const name of defaults.filter((each) => each !== 'policy'))
    expect(stored[name as 'dialogs']).toEqual((fields as Record<string, Field>)[name]?.default);
  const older = aBrowser({ projectId: 'project_1', settings: {} });
  expect(Object.keys(settingsIn(older)).toSorted()).toEqual(defaults.toSorted());
});
