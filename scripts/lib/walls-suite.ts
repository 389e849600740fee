/**
 * The tests that hold the walls of a package, for packages without rules of their own: they call this with their plan.
 * How walls work is in walls.ts; a test that fails says which rule was broken and how to mend it.
 */
import { describe, expect, test } from 'vitest';
import {
  brokenWalls,
  circles,
  filesWithoutReason,
  type Rules,
  readHouse,
  testCodeInService,
  vagueNames,
  withoutRow,
} from './walls.ts';

export function testWalls(folder: string, rules: Rules): void {
  const house = readHouse(folder);
  describe('the walls between the rooms', () => {
    test('every folder, and every file at the top, has a row in the plan', () => {
      const advice = 'Give it a row in `plan`, or move it into a room';
      expect(withoutRow(house, rules.plan), advice).toEqual([]);
    });

    test('a room imports only the neighbours of its row, and enters them by their doors', () => {
      const advice = 'Take it as a parameter or a callback, or let a room above join the two';
      expect(brokenWalls(house, rules), advice).toEqual([]);
    });

    test('what is written for tests stays out of the package', () => {
      const advice = 'Move what the package needs into a file of its own';
      expect(testCodeInService(house), advice).toEqual([]);
    });

    test('no file imports itself by a detour', () => {
      expect(circles(house), 'Move what both need into a third file below them').toEqual([]);
    });

    test('every file is named for what it does', () => {
      expect(vagueNames(house), 'Name the file after what it holds').toEqual([]);
    });

    test('every file begins with the reason why it is there', () => {
      const advice = 'Open the file with a comment, above its imports, that says why it is so';
      expect(filesWithoutReason(house), advice).toEqual([]);
    });
  });
}
