import { expect, test } from 'vitest';
import { newId } from '../kit/id.ts';
import { whoseTurn } from './whose-turn.ts';

const boots = Array.from({ length: 20 }, () => newId('node'));
const names = Array.from({ length: 4000 }, (_, n) => `project_${n}`);

test('all nodes name the same one, in whatever order they see each other', () => {
  for (const name of names.slice(0, 100))
    expect(whoseTurn(name, boots.toReversed())).toBe(whoseTurn(name, boots));
});

test('turns are spread over the nodes', () => {
  const shares = Map.groupBy(names, (name) => whoseTurn(name, boots));
  expect(shares.size).toBe(boots.length);
  const even = names.length / boots.length;
  for (const { length } of shares.values()) {
    expect(length).toBeGreaterThan(even / 2);
    expect(length).toBeLessThan(even * 2);
  }
});

test('a node that goes leaves its turns to the others, which keep their own', () => {
  const [gone, ...left] = boots;
  for (const name of names) {
    const before = whoseTurn(name, boots);
    const after = whoseTurn(name, left);
    if (before === gone) expect(left).toContain(after);
    else expect(after).toBe(before);
  }
});

test('without nodes it is the turn of none', () => {
  expect(whoseTurn('a name', [])).toBeUndefined();
});
