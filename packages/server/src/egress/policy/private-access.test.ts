import { describe, expect, test } from 'vitest';
import { openCeiling } from './ceiling.ts';
import { privateAccessIn } from './normalize.ts';
import { decideAddress, decideUnresolved, readPolicy } from './policy.ts';
import { entryAbove, reachOf } from './private-access.ts';

const nameOf = async (projectId: string): Promise<string> => projectId;

const ceilingOf = (...entries: string[]) => reachOf(privateAccessIn(entries));
const at = (host: string, port = 80) => ({ scheme: 'http' as const, host, port });

describe('what the operator never lets through', () => {
  test.each([
    [['localhost'], { localhost: true }, undefined],
    [['127.0.0.0/8'], { localhost: true }, ['localhost']],
    [['10.0.0.0/8'], { cidrs: ['10.1.0.0/16'] }, undefined],
    [['10.0.0.0/8'], { cidrs: ['10.1.0.0/16', '10.0.0.0/7'] }, ['cidrs', 1]],
    [['10.0.0.0/8'], { cidrs: ['::/0'] }, ['cidrs', 0]],
    [['10.0.0.0/8'], { localhost: true }, ['localhost']],
    [['corp.example'], { domains: ['a.corp.example'] }, undefined],
    [['corp.example'], { domains: ['a.corp.example', 'other.example'] }, ['domains', 1]],
    [['10.0.0.0/8'], { domains: ['nas.lan'] }, undefined],
    [['localhost'], { domains: ['nas.lan'] }, ['domains', 0]],
    [['localhost'], { domains: ['app.localhost', '127.0.0.1'] }, undefined],
    [['localhost'], { domains: ['10.0.0.1'] }, ['domains', 0]],
    [[], { localhost: true }, ['localhost']],
    [[], { domains: ['nas.lan'] }, ['domains', 0]],
    [[], { localhost: false, ports: [5432] }, undefined],
  ])('a ceiling of %j and %j', (entries, access, path) => {
    expect(entryAbove(ceilingOf(...entries), access)).toEqual(path);
  });

  test('holds for each address that a name leads to', () => {
    const rules = readPolicy({ privateAccess: { domains: ['nas.lan'] } }, ceilingOf('10.0.0.0/8'));
    expect(decideAddress(rules, at('nas.lan'), '10.1.2.3')).toBeUndefined();
    expect(decideAddress(rules, at('nas.lan'), '192.168.1.1')).toBe('above_ceiling');
    expect(decideAddress(rules, at('nas.lan'), '::ffff:127.0.0.1')).toBe('above_ceiling');
    expect(decideUnresolved(rules, at('nas.lan'))).toBe('above_ceiling');
    expect(decideAddress(readPolicy({}, ceilingOf('10.0.0.0/8')), at('x.example'), '10.1.2.3')).toBe(
      'private_address',
    );
  });
});

test('ports of well-known services are closed on private addresses, unless the policy names them', () => {
  const rules = readPolicy({ privateAccess: { localhost: true, ports: [6379] } });
  for (const port of [22, 25, 3306, 5432, 9200, 11_211, 27_017])
    expect([port, decideAddress(rules, at('localhost', port), '127.0.0.1')]).toEqual([port, 'private_port']);
  for (const port of [80, 443, 3000, 3128, 5173, 6379, 8080, 45_678])
    expect([port, decideAddress(rules, at('localhost', port), '127.0.0.1')]).toEqual([port, undefined]);
  expect(decideAddress(rules, at('db.example', 5432), '93.184.215.14')).toBeUndefined();
});

test('names of private networks are known as such where their address is not', () => {
  const rules = readPolicy({});
  for (const host of ['nas.lan', 'db.default.svc', 'db.default.svc.cluster.local', 'wiki.corp', 'printer'])
    expect([host, decideUnresolved(rules, at(host))]).toEqual([host, 'private_name']);
  expect(decideUnresolved(rules, at('lan.example'))).toBeUndefined();
});

describe('a ceiling that the operator did not set', () => {
  test.each([
    ['127.0.0.1', 1, true],
    ['localhost', 1, true],
    ['::1', 1, true],
    ['127.0.0.1', 2, false],
    ['0.0.0.0', 1, false],
    ['192.168.1.5', 1, false],
  ])('on %s with %i projects', async (host, projects, open) => {
    const ceiling = await openCeiling({ allowed: null, host, countProjects: async () => projects, nameOf });
    expect(entryAbove(ceiling.of('a').reach, { localhost: true })).toEqual(open ? undefined : ['localhost']);
  });

  test('sinks when a second project comes', async () => {
    let projects = 1;
    const ceiling = await openCeiling({
      allowed: null,
      host: '::1',
      countProjects: async () => projects,
      nameOf,
    });
    expect(ceiling.of('a').words).toBe('localhost');
    projects = 2;
    await ceiling.look('a');
    expect(ceiling.of('a').words).toBe('nothing private');
    expect(entryAbove(ceiling.of('a').reach, { localhost: true })).toEqual(['localhost']);
  });

  test('one that makes no sense is a reason not to start', async () => {
    const options = { host: '::1', countProjects: async () => 1, nameOf };
    const opened = openCeiling({ allowed: ['shop=10.0.0.0/99'], ...options });
    await expect(opened).rejects.toThrow(/BROWSERD_PRIVATE_ACCESS is wrong: .*address range/);
  });
});

test('a project that is named has a ceiling of its own, and the others the common one', async () => {
  const allowed = ['10.0.0.0/8', 'shop=localhost', 'shop=nas.lan', 'guests='];
  const options = { host: '0.0.0.0', countProjects: async () => 3, nameOf };
  const ceiling = await openCeiling({ allowed, ...options });
  expect(ceiling.of('shop').words).toBe('nothing private');
  const words = async (project: string) => (await ceiling.look(project)).words;
  expect([await words('shop'), await words('guests'), await words('other')]).toEqual([
    'localhost, nas.lan',
    'nothing private',
    '10.0.0.0/8',
  ]);
  expect(entryAbove(ceiling.of('shop').reach, { cidrs: ['10.1.0.0/16'] })).toEqual(['cidrs', 0]);
  expect(entryAbove(ceiling.of('shop').reach, { localhost: true, domains: ['nas.lan'] })).toBeUndefined();
});
