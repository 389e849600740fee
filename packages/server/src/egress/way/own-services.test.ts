import { expect, test } from 'vitest';
import { openOwnServices } from './own-services.ts';

const names: Record<string, string[]> = {
  db: ['10.0.0.5', 'fd00::5'],
  'replica.example': ['10.0.0.6'],
  'public.example': ['93.184.216.34'],
};
const resolve = async (host: string): Promise<string[]> => {
  const found = names[host];
  if (!found) throw new Error('unknown');
  return found;
};

test.each([
  ['postgres://user:p%40ss@db/name', ['10.0.0.5:5432', 'fd00::5:5432']],
  [
    'postgresql://user@db:6432,replica.example/name?sslmode=require',
    ['10.0.0.5:6432', 'fd00::5:6432', '10.0.0.6:5432'],
  ],
  ['postgres://localhost/name', ['localhost:5432']],
  ['postgres://[::1]:5433/name', ['::1:5433']],
  ['postgres://user@unknown.example/name', []],
  ['postgres://user@%2Fvar%2Frun%2Fpostgresql/name', []],
  ['postgres://user@localhost/name?host=%2Frun%2Fpostgresql', []],
  ['postgres://user@localhost/name?host=replica.example', ['10.0.0.6:5432']],
  ['postgres:///name', []],
  ['sqlite:/data/browserd.sqlite', []],
  ['postgres://public.example/name', ['93.184.216.34:5432']],
  ['https://objects.example', []],
  ['https://replica.example', ['10.0.0.6:443']],
  ['http://127.0.0.1:9000/s3', ['127.0.0.1:9000']],
  // of a cloud, where sites are as well
  ['https://public.example', []],
])('%s leads to %j', async (url, expected) => {
  using services = await openOwnServices(() => [url], resolve);
  const places = services.listeners().map(({ host, port }) => `${host}:${port}`);
  expect(places.sort()).toEqual([...expected].sort());
});

test('what comes and goes is closed while it is there', async () => {
  let members = ['cluster://10.0.0.7:8788'];
  using services = await openOwnServices(() => members, resolve);
  expect(services.listeners()).toEqual([{ host: '10.0.0.7', port: 8788 }]);
  members = ['cluster://10.0.0.8:8788', 'cluster://replica.example:8788'];
  expect(services.listeners()).toEqual([{ host: '10.0.0.8', port: 8788 }]);
  await expect.poll(() => services.listeners()).toContainEqual({ host: '10.0.0.6', port: 8788 });
  members = [];
  expect(services.listeners()).toEqual([]);
});
