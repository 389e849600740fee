import { describe, expect, test } from 'vitest';
import { startNameServer } from './name-server.fixture.ts';
import { Names } from './names.ts';
import { readHosts, readSearch, searchNames } from './system-names.ts';

const records = { 'site.test': '10.0.0.1', 'other.test': '10.0.0.2' };

describe('names', () => {
  test('are asked for once by those who ask together, and kept for a moment', async () => {
    using server = await startNameServer(records);
    using names = new Names({ servers: [server.address] });
    expect(await Promise.all([names.resolve('site.test'), names.resolve('site.test')])).toEqual([
      ['10.0.0.1'],
      ['10.0.0.1'],
    ]);
    await names.resolve('site.test');
    // A and AAAA
    expect(server.asked.filter((name) => name === 'site.test')).toHaveLength(2);
  });

  test('of the hosts file are not asked for', async () => {
    using server = await startNameServer({});
    using names = new Names({ servers: [server.address] });
    const addresses = await names.resolve('localhost');
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(['127.0.0.1', '::1']).toContain(address);
    expect(server.asked).toEqual([]);
  });

  test('that do not exist fail, and the failure is not kept', async () => {
    using server = await startNameServer(records);
    using names = new Names({ servers: [server.address] });
    await expect(names.resolve('missing.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    const before = server.asked.length;
    await expect(names.resolve('missing.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(server.asked.length).toBeGreaterThan(before);
  });

  test('that are never answered hold up only the resolver that was asked, and end in time', async () => {
    using server = await startNameServer(records);
    using slow = new Names({ servers: [server.address], timeoutMs: 300 });
    using quick = new Names({ servers: [server.address] });
    const stuck = Array.from({ length: 200 }, (_, i) => slow.resolve(`n${i}.slow`));
    const ends = Promise.allSettled(stuck.slice(0, 16));
    expect(await quick.resolve('site.test')).toEqual(['10.0.0.1']);
    expect(server.asked.filter((name) => name.endsWith('.slow')).length).toBeLessThanOrEqual(16 * 2);
    for (const end of await ends) expect(end).toMatchObject({ reason: { code: 'ETIMEOUT' } });
    slow[Symbol.dispose]();
    for (const end of await Promise.allSettled(stuck)) expect(end.status).toBe('rejected');
  });

  test('beyond what one exit may ask for at once are refused at once', async () => {
    using server = await startNameServer({});
    using names = new Names({ servers: [server.address] });
    const asked = Array.from({ length: 300 }, (_, i) => names.resolve(`n${i}.slow`));
    await expect(asked[299]).rejects.toMatchObject({ code: 'EBUSY' });
    names[Symbol.dispose]();
    await Promise.allSettled(asked);
  });
});

describe('the files of the machine', () => {
  test('hosts', () => {
    const hosts = readHosts(
      '127.0.0.1 localhost\n# 1.2.3.4 not\n10.0.0.9\tDB db.corp # two\n::1 localhost\nnonsense x',
    );
    expect(Object.fromEntries(hosts)).toEqual({
      localhost: ['127.0.0.1', '::1'],
      db: ['10.0.0.9'],
      'db.corp': ['10.0.0.9'],
    });
  });

  test('the search list comes first for short names, and last for long ones', () => {
    const search = readSearch(
      'nameserver 10.0.0.53\nsearch default.svc.cluster.local example.com.\noptions edns0 ndots:2',
    );
    expect(search).toEqual({ domains: ['default.svc.cluster.local', 'example.com'], ndots: 2 });
    expect(searchNames('db', search)).toEqual(['db.default.svc.cluster.local', 'db.example.com', 'db']);
    expect(searchNames('a.b.c', search)[0]).toBe('a.b.c');
    expect(searchNames('x.test', readSearch(''))).toEqual(['x.test']);
  });
});
