import { expect, test } from 'vitest';
import { outsideTheVm } from '../support/attack-world.ts';
import { startServer } from '../support/server.ts';

test('a runner that one key has used is never given to another key of the project', async () => {
  await using server = await startServer();
  const { api } = server;
  const { body: browser } = await api.create();
  const { body: made } = await api.call('POST', '/v1/keys', { body: { name: 'other', role: 'member' } });
  const other = api.as(made.key);
  const execute = async (by: typeof api, code: string) => {
    const body = { code: `${outsideTheVm}\nconst left = need('os').tmpdir() + '/left';\n${code}` };
    return (await by.call('POST', `/v1/browsers/${browser.id}/script/execute`, { body })).body;
  };
  const look = `return need('fs').existsSync(left)`;
  expect(await execute(api, `need('fs').writeFileSync(left, 'x'); return 1`)).toMatchObject({ result: 1 });
  expect(await execute(api, look)).toMatchObject({ result: true });
  expect(await execute(other, look)).toMatchObject({ result: false });
  expect(await execute(other, `need('fs').writeFileSync(left, 'x'); return 1`)).toMatchObject({ result: 1 });
  expect(await execute(api, look)).toMatchObject({ result: false });
});
