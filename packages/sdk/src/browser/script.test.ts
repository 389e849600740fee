import { expect, test } from 'vitest';
import { codeOf, type Script } from './script.ts';

/** As the service runs it: the body of an async function with these names in scope. */
const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (...args: unknown[]) => unknown;
const names = ['page', 'context', 'browser', 'args', 'console', 'files', 'sleep'];
const run = (script: string | Script<number, unknown>, args: unknown = 20): unknown =>
  new AsyncFunction(...names, codeOf(script))('page', 'context', 'browser', args, console, {}, () => {});

const object = {
  async method({ args }: { args: number }) {
    return args + 1;
  },
  delete: ({ args }: { args: number }) => args + 1,
  function({ args }: { args: number }) {
    return args + 1;
  },
  get({ args }: { args: number }) {
    return args + 1;
  },
  'a b'({ args }: { args: number }) {
    return args + 1;
  },
  7({ args }: { args: number }) {
    return args + 1;
  },
};
const { delete: named } = {
  delete({ args }: { args: number }) {
    return args + 1;
  },
};
class Holder {
  n = 1;
  static async act({ args }: { args: number }) {
    return args + 1;
  }
}
const value = (n: number): number => n;
/** What a bundler writes around things; it is nowhere here. */
declare const __name: (value: unknown, name: string) => unknown;

// biome-ignore format: unusual places for spaces and comments are wanted here
// biome-ignore-start lint/complexity/useArrowFunction: as is every form of a function
const forms: Record<string, Script<number, unknown>> = {
  'an arrow': ({ args }) => args + 1,
  'an async arrow': async ({ args }) => args + 1,
  'an async arrow without spaces': async({ args })=>args + 1,
  'an arrow with a bare name': scope => scope.args + 1,
  'an async arrow with a bare name': async scope => scope.args + 1,
  'an arrow with a comment in front': async /* ( */ ({ args }) => args + 1,
  'a parameter named get': get => get.args + 1,
  'parentheses in default values': ({ args }, more = ((a: number) => a)(1), text = ') => {') => args + more + text.length - 6,
  'nested destructuring': ({ args, more: { n } = (() => ({ n: 1 }))() }: { args: number; more?: { n: number } }) => args + n,
  'a function': function ({ args }) { return args + 1; },
  'a named async function': async function adds({ args }) { return args + 1; },
  'a method': object.method,
  'an arrow in an object': object.delete,
  'a method named function': object.function,
  'a method named get': object.get,
  'a method with quotes': object['a b'],
  'a method with a number': object[7],
  'a method with a reserved name': named,
  'a static method': Holder.act,
};
// biome-ignore-end lint/complexity/useArrowFunction: see above

test.each(Object.entries(forms))('%s is sent and runs', async (_, script) => {
  expect(await run(script)).toBe(21);
});

test('a string is sent as it is', async () => {
  expect(codeOf('return args')).toBe('return args');
});

test('names that a bundler keeps do no harm, and lines are those of the function', async () => {
  const bundled: Script<number, unknown> = ({ args }) => __name(args + 1, 'x');
  expect(await run(bundled)).toBe(21);
  expect(codeOf(object.method).split('\n')).toHaveLength(3);
});

test('what is no browser code is refused before it is sent, and says why', async () => {
  const getter = Object.getOwnPropertyDescriptor(
    {
      get x() {
        return 1;
      },
    },
    'x',
  )?.get;
  const computed = 'computed';
  class Private {
    #hidden() {}
    static hidden = (): unknown => new Private().#hidden;
  }
  const refused: [unknown, string][] = [
    [value.bind(null), 'bound or built-in'],
    [Math.max, 'bound or built-in'],
    [Holder, 'A class'],
    [class {}, 'A class'],
    [getter, 'getter'],
    [function* () {}, 'generator'],
    [async function* () {}, 'generator'],
    [{ *g() {} }.g, 'generator'],
    [{ async *g() {} }.g, 'generator'],
    [{ [computed]() {} }[computed], 'computed'],
    [{ async [computed]() {} }[computed], 'computed'],
    [Private.hidden(), 'private'],
    [undefined, 'a function, or its body'],
  ];
  for (const [script, why] of refused) expect(() => codeOf(script as Script<unknown, unknown>)).toThrow(why);
});
