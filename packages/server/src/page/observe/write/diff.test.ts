/** What a caller reads of a page that changed, and that it is all there is to read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diff } from './diff.ts';

const page = `heading "Shop" [level=1]
main [ref=e1]
  text: Welcome
  list
    link "One" [ref=e2]
    link "Two" [ref=e3]
  button "Buy" [ref=e4]
contentinfo [ref=e5]
  link "Imprint" [ref=e6]
`;

test('what is as before is one line, however long it is', () => {
  expect(diff(page, page)).toEqual({ text: '  … 9 lines as before\n', changes: 0 });
});

test('something new is shown with all that is in it, below what it is in', () => {
  const now = page.replace('  button', '  dialog "Cart" [ref=e7]\n    button "Close" [ref=e8]\n  button');
  expect(diff(page, now).text).toBe(`  … 1 line as before
  main [ref=e1]
    … 4 lines as before
+   dialog "Cart" [ref=e7]
+     button "Close" [ref=e8]
    … 1 line as before
  … 2 lines as before
`);
});

test('what is gone, what says something else and what moved are told apart', () => {
  const now = page
    .replace('text: Welcome', 'text: Welcome back')
    .replace(
      '    link "One" [ref=e2]\n    link "Two" [ref=e3]',
      '    link "Two" [ref=e3]\n    link "One" [ref=e2]',
    )
    .replace('button "Buy" [ref=e4]', 'button "Buy" [ref=e4] [disabled]')
    .replace('  link "Imprint" [ref=e6]\n', '');
  expect(diff(page, now).text).toBe(`  … 1 line as before
  main [ref=e1]
~   text: Welcome back
    list
>     link "Two" [ref=e3]
      … 1 line as before
~   button "Buy" [ref=e4] [disabled]
  contentinfo [ref=e5]
-   link "Imprint" [ref=e6]
`);
});

test('another element in the place of one that is gone is not taken for it', () => {
  const now = page.replace('"Buy" [ref=e4]', '"Buy" [ref=e9]');
  expect(diff(page, now).text).toContain('-   button "Buy" [ref=e4]');
  expect(diff(page, now).text).toContain('+   button "Buy" [ref=e9]');
});

test('a text that looks like a reference is not one', () => {
  const [before, now] = ['text: "see [ref=e1]"\n', 'text: "see [ref=e1] now"\n'];
  expect(diff(before, now).text).toBe('~ text: "see [ref=e1] now"\n');
});

test('lines of a text that is no outline are compared one by one', () => {
  expect(diff('a\n  b\nc\n', 'a\n  b\nd\n', false).text).toBe('  … 2 lines as before\n+ d\n- c\n');
});

test('every line of now is in the diff: shown, or counted as before; and every line that is gone', () => {
  const line = fc.tuple(
    fc.nat({ max: 3 }),
    fc.constantFrom('a', 'b', 'list', 'link "x"'),
    fc.nat({ max: 12 }),
  );
  const outline = fc.array(line, { maxLength: 30 }).map((lines) => {
    let depth = -1;
    const used = new Set<number>();
    return lines
      .map(([wanted, text, ref]) => {
        depth = Math.min(wanted, depth + 1);
        const own = ref > 0 && !used.has(ref) ? ` [ref=e${ref}]` : '';
        used.add(ref);
        return `${'  '.repeat(depth)}${text}${own}\n`;
      })
      .join('');
  });
  const count = (text: string): number => text.split('\n').length - 1;
  fc.assert(
    fc.property(outline, outline, (before, now) => {
      const lines = diff(before, now).text.split('\n').slice(0, -1);
      const asBefore = lines.reduce(
        (sum, each) => sum + Number(/^ +… (\d+) lines? as before/.exec(each)?.[1] ?? 0),
        0,
      );
      const shown = lines.filter((each) => !each.startsWith('-') && !/^ +… /.test(each)).length;
      expect(asBefore + shown).toBe(count(now));
      const gone = lines
        .filter((each) => each.startsWith('-'))
        .reduce((sum, each) => sum + 1 + Number(/\(and (\d+) lines? inside\)/.exec(each)?.[1] ?? 0), 0);
      const added = lines.filter((each) => each.startsWith('+')).length;
      expect(count(now) - added).toBe(count(before) - gone);
    }),
  );
});
