import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../kit/id.ts';
import { Capabilities, type Grant } from './capabilities.ts';
import { openTestStore } from './test-store.ts';

const grant = (fields: Partial<Grant> = {}): Grant => ({
  kind: 'cdp',
  mode: 'control',
  subjectId: newId('browser'),
  projectId: newId('project'),
  keyId: newId('key'),
  expiresAt: Date.now() + 60_000,
  ...fields,
});

const refused = { code: 'UNAUTHENTICATED', status: 401, headers: { 'www-authenticate': 'Bearer' } };

test('a token says what it was issued for, also to another process on the same records', async () => {
  await using opened = await openTestStore();
  const given = grant({ kind: 'live', mode: 'view' });
  const token = await new Capabilities(opened).issue(given);
  expect(token).toMatch(/^bdc_[\w-]+\.[\w-]{43}$/);
  expect(await new Capabilities(opened).check(token, 'live', given.subjectId)).toEqual(given);
});

test('a token of other records is refused', async () => {
  await using here = await openTestStore();
  await using there = await openTestStore();
  const given = grant();
  const token = await new Capabilities(there).issue(given);
  await expect(new Capabilities(here).check(token, 'cdp', given.subjectId)).rejects.toMatchObject(refused);
});

test('a token is good for its browser, its kind and its time alone', async () => {
  await using opened = await openTestStore();
  const capabilities = new Capabilities(opened);
  const given = grant();
  const token = await capabilities.issue(given);
  await expect(capabilities.check(token, 'live', given.subjectId)).rejects.toMatchObject(refused);
  await expect(capabilities.check(token, 'cdp', newId('browser'))).rejects.toMatchObject(refused);
  const late = await capabilities.issue({ ...given, expiresAt: Date.now() - 1 });
  await expect(capabilities.check(late, 'cdp', given.subjectId)).rejects.toMatchObject(refused);
});

test('what is forged, cut, joined or no token at all is refused', async () => {
  await using opened = await openTestStore();
  const capabilities = new Capabilities(opened);
  const mine = grant();
  const token = await capabilities.issue(mine);
  const other = await capabilities.issue(grant());
  const [text, signature] = token.slice('bdc_'.length).split('.') as [string, string];
  const wishful = Buffer.from(JSON.stringify(Object.values({ ...mine, expiresAt: 9e15 }))).toString(
    'base64url',
  );
  for (const forged of [
    ...[undefined, null, 7, '', 'bdc_', 'bdc_.', [token], [token, token], {}, 'bd_key'],
    ...[text, `bdc_${text}`, `bdc_${text}.`, `${token} `, `${token}A`, ` ${token}`, token.toUpperCase()],
    ...[`bdc_${wishful}.${signature}`, `bdc_${text}.${other.split('.')[1]}`, `bdc_.${signature}`],
    `bdc_${'A'.repeat(100_000)}.${signature}`,
  ])
    await expect(capabilities.check(forged, 'cdp', mine.subjectId)).rejects.toMatchObject(refused);
  await expect(capabilities.check(token, 'cdp', mine.subjectId)).resolves.toEqual(mine);
});

test('no change of a single character is let pass', async () => {
  await using opened = await openTestStore();
  const capabilities = new Capabilities(opened);
  const given = grant();
  const token = await capabilities.issue(given);
  // The last character of the signature carries two bits that mean nothing.
  const places = fc.nat(token.length - 2);
  await fc.assert(
    fc.asyncProperty(places, fc.constantFrom('A', 'b', '0', '_', '-', '.'), async (at, letter) => {
      const changed = token.slice(0, at) + letter + token.slice(at + 1);
      if (changed === token) return;
      await expect(capabilities.check(changed, 'cdp', given.subjectId)).rejects.toMatchObject(refused);
    }),
  );
});

test('a store that fails for a moment is asked again', async () => {
  await using opened = await openTestStore();
  const { secrets } = opened.store;
  let failing = true;
  const ensure: typeof secrets.ensure = async (...asked) => {
    if (failing) throw new Error('away');
    return secrets.ensure(...asked);
  };
  const capabilities = new Capabilities({ store: { secrets: { ensure } } });
  await expect(capabilities.issue(grant())).rejects.toThrow('away');
  failing = false;
  await expect(capabilities.issue(grant())).resolves.toContain('bdc_');
});
