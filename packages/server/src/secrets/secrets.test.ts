import { describe, expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { createLog } from '../kit/log.ts';
import { Masks, Secrets } from './secrets.ts';

const origins = ['https://site.example'];

test('what one node has typed is masked by the others too, a code of the moment as well', async () => {
  const database = await freshDatabase('postgres');
  const [here, there] = await Promise.all(
    [1, 2].map(async () => new Secrets({ store: await database.open(), masks: new Masks() })),
  );
  const store = await database.open();
  const { id: projectId } = await store.projects.ensure('default');
  await here!.create(projectId, { name: 'password', value: 'correct horse', origins });
  await here!.create(projectId, {
    name: 'code',
    totp: { secret: 'JBSWY3DPEHPK3PXP', digits: 6, period: 30 },
    origins,
  });
  await there!.maskUsed();
  const shown = (text: string) => there!.masks.text(projectId, text);
  expect(shown('correct horse')).toBe('correct horse');
  const masking = there!.keepMasking(createLog('silent'));
  onTestFinished(() => masking[Symbol.dispose]());
  const { text: password } = await here!.use(projectId, 'password', 'any');
  const { text: code } = await here!.use(projectId, 'code', 'code');
  await expect.poll(() => shown(password)).not.toContain(password);
  await expect.poll(() => shown(`it is ${code}.`)).not.toContain(code);
});

describe('of many secrets', () => {
  const world = async () => {
    const store = await (await freshDatabase('sqlite')).open();
    const { id: projectId } = await store.projects.ensure('default');
    return { store, projectId, secrets: new Secrets({ store, masks: new Masks() }) };
  };
  /** In many forms, each of which is long. */
  const longValue = (n: number): string => `${n} ${'é&"\\\''.repeat(800)}`;
  const refused = { code: 'TOO_MANY_SECRETS' };

  test('all that were typed are masked after a start', async () => {
    const { store, projectId, secrets } = await world();
    const names = [...Array(205).keys()].map((n) => `password-${n}`);
    for (const name of names) await secrets.create(projectId, { name, value: `value of ${name}!`, origins });
    for (const name of names) await secrets.use(projectId, name, 'any');
    const masks = new Masks();
    await new Secrets({ store, masks }).maskUsed();
    for (const name of names) expect(masks.text(projectId, `value of ${name}!`)).toBe('•••');
  });

  test('the values take only so much room, also when they are changed', async () => {
    const { projectId, secrets } = await world();
    const create = (n: number) => secrets.create(projectId, { name: `s${n}`, value: longValue(n), origins });
    const { id } = await create(0);
    const small = await secrets.create(projectId, { name: 'small', value: 'hunter22', origins });
    const fill = async () => {
      for (let n = 1; n < 1000; n++) await create(n);
    };
    await expect(fill()).rejects.toMatchObject(refused);
    await expect(secrets.change(projectId, small.id, { value: longValue(1) })).rejects.toMatchObject(refused);
    await secrets.change(projectId, id, { value: longValue(2) });
    await secrets.remove(projectId, id);
    await secrets.change(projectId, small.id, { value: longValue(3) });
  });

  test('what was replaced takes room as well, and what is masked already can be typed', async () => {
    const { projectId, secrets } = await world();
    await secrets.create(projectId, { name: 'stays', value: 'hunter22', origins });
    const { id } = await secrets.create(projectId, { name: 'changes', value: longValue(0), origins });
    await secrets.use(projectId, 'stays', 'any');
    const fill = async () => {
      for (let n = 1; n < 1000; n++) {
        await secrets.change(projectId, id, { value: longValue(n) });
        await secrets.use(projectId, 'changes', 'any');
      }
    };
    await expect(fill()).rejects.toMatchObject(refused);
    expect(secrets.masks.text(projectId, `hunter22 ${longValue(1)}`)).toBe('••• •••');
    expect((await secrets.use(projectId, 'stays', 'any')).text).toBe('hunter22');
  });
});
