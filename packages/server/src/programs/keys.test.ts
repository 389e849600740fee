import { expect, test } from 'vitest';
import { Access } from '../access/access.ts';
import { openTestStore, type TestStore } from '../access/test-store.ts';
import { createLog } from '../kit/log.ts';
import { keysCli } from './keys.ts';

async function run({ dataDir }: TestStore, ...args: string[]) {
  let [out, err] = ['', ''];
  const code = await keysCli(args, {
    env: { BROWSERD_DATA_DIR: dataDir },
    services: () => [],
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

const secretIn = (text: string): string => /bd_[0-9A-Za-z]{43}/.exec(text)?.[0] ?? '';

test('a key made by the operator works and is listed without its secret', async () => {
  await using opened = await openTestStore();
  const made = await run(
    opened,
    'create',
    '--name',
    'ci',
    '--role',
    'admin',
    '--project',
    'blue',
    '--expires',
    '30d',
  );
  expect(made).toMatchObject({ code: 0, err: '' });
  const secret = secretIn(made.out);
  const access = new Access({ store: opened.store, log: createLog('silent') });
  const { id } = await access.ensureProject('blue');
  await expect(access.authenticate(`Bearer ${secret}`)).resolves.toMatchObject({
    role: 'admin',
    projectId: id,
  });
  const listed = await run(opened, 'list');
  expect(listed.out).toMatch(
    /^ID +ROLE +PROJECT +CREATED +LAST USED +EXPIRES +NAME\nkey_\w+ +admin +blue .* ci\n$/,
  );
  expect(listed.out).not.toContain(secret);
});

test('a revoked key is refused from then on', async () => {
  await using opened = await openTestStore();
  const secret = secretIn((await run(opened, 'create')).out);
  const access = new Access({ store: opened.store, log: createLog('silent') });
  const { keyId } = await access.authenticate(`Bearer ${secret}`);
  expect((await run(opened, 'revoke', keyId)).code).toBe(0);
  await expect(access.authenticate(`Bearer ${secret}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(await run(opened, 'revoke', keyId)).toMatchObject({ code: 1, out: '' });
});

test.each([
  [[]],
  [['toString']],
  [['create', '--colour', 'red']],
  [['create', '--role', 'owner']],
  [['create', '--expires', 'tomorrow']],
  [['create', '--project', 'a b']],
  [['create', '--name', '']],
  [['revoke']],
  [['revoke', 'a', 'b']],
  [['list', 'x']],
])('%j is answered with what is wrong and exit code 2', async (args) => {
  await using opened = await openTestStore();
  const { code, out, err } = await run(opened, ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).not.toContain(' at ');
  expect(await opened.store.keys.count()).toBe(0);
});

test('a wrong setting is named', async () => {
  const err: string[] = [];
  const from = { env: { BROWSERD_PROT: '1' }, services: () => [] };
  const code = await keysCli(['list'], { ...from, out: () => undefined, err: (text) => err.push(text) });
  expect(code).toBe(1);
  expect(err.join('')).toContain('BROWSERD_PROT');
});
