import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/generated/operations.ts';
import { contract } from './covered.ts';
import { browserStories } from './story-browsers.ts';
import { codeStories } from './story-code.ts';
import { handStories } from './story-hands.ts';
import { heldStories } from './story-held.ts';
import { jobStories } from './story-jobs.ts';
import { profileStories } from './story-profiles.ts';
import { projectStories } from './story-project.ts';
import { openWorld, type World } from './story-world.ts';

/** The whole SDK on a real service; at the end, whether there was anything in the contract that it did not reach. */
const chapters = {
  'a browser': browserStories,
  'browser code': codeStories,
  'what a browser holds': heldStories,
  'other hands on it': handStories,
  'saved profiles': profileStories,
  jobs: jobStories,
  'the project': projectStories,
};
let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

for (const [chapter, stories] of Object.entries(chapters))
  describe(chapter, () => {
    for (const [name, story] of Object.entries(stories)) test(name, () => story(world));
  });

describe('the contract', () => {
  test('names exactly the operations that the SDK knows', () => {
    const known = Object.entries(operations).map(([id, [method, path]]) => [id, method, path]);
    expect(known).toEqual(contract.map(({ operationId, method, path }) => [operationId, method, path]));
  });

  test('has no operation that these stories did not reach through the SDK', () => {
    const missed = contract.filter(({ operationId }) => !world.covered.operations.has(operationId));
    expect(missed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
