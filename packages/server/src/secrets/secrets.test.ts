import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { createLog } from '../kit/log.ts';
import { Masks, Secrets } from './secrets.ts';

test('what one node has typed is masked by the others too, a code of the moment as well', async () => {
  const database = await freshDatabase('postgres');
  const [here, there] = await Promise.all(
    [1, 2].map(async () => new Secrets({ store: await database.open(), masks: new Masks() })),
  );
  const store = await database.open();
  const { id: projectId } = await store.projects.ensure('default');
  const origins = ['https://site.example'];
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
