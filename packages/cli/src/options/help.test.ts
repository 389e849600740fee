import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { nodesOf } from '../commands/completion/nodes.ts';
import { makeProgram } from '../program.ts';

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

const isHidden = (command: Command): boolean => '_hidden' in command && command._hidden === true;

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';

function helpOf(command: Command): string {
  let text = '';
  const writeOut = (part: string): void => {
    text += part;
  };
  command.configureOutput({ writeOut });
  command.outputHelp();
  return text;
}

const program = makeProgram();
const nodes = new Map(
  nodesOf(program).flatMap((node) => [node.path, ...node.otherPaths].map((path) => [path, node])),
);
const commands = all(program).filter((command) => !isHidden(command));

/** The lines to paste, each call of the program in them as words; what a shell would do with the rest is left out. */
const callsIn = (help: string): string[][] =>
  (help.split('\nExamples:\n')[1] ?? '')
    .split('\n')
    .flatMap((line) => [...line.matchAll(/(?:^ {2}\$ |\| |\$\()(browserd [^|)]*)/g)])
    .map(([, call = '']) => call.replace(/#.*| [<>] .*/, '').match(/'[^']*'|"[^"]*"|\S+/g) ?? []);

describe('the help', () => {
  test.each(commands.map((command) => [pathOf(command) || 'browserd', command] as const))(
    'of %s ends with examples that the program takes',
    (_, command) => {
      const calls = callsIn(helpOf(command));
      expect(calls).not.toEqual([]);
      for (const [, ...words] of calls) {
        let path = '';
        for (const word of words) if (nodes.has(`${path} ${word}`.trim())) path = `${path} ${word}`.trim();
        expect([words, path.startsWith(pathOf(command))]).toEqual([words, true]);
        const node = nodes.get(path);
        expect([words, node?.words]).toEqual([words, []]);
        const short = node?.values.map(([flag]) => flag) ?? [];
        const known = [...(node?.flags ?? []), ...short, '-f', '-y', '-'];
        const flags = words.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0]);
        expect([words, flags.filter((flag) => !known.includes(flag ?? ''))]).toEqual([words, []]);
      }
    },
  );
});
