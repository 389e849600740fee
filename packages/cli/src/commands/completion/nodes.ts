/** The tree of commands as completion needs it: what may follow each command, and what each option takes. */
import type { Argument, Command, Option } from 'commander';
import { several, suggestionsOf } from '../../options/options.ts';

/** What to offer for a value: these words, browsers of the service, files, or nothing. */
export interface Offer {
  kind: 'words' | 'list' | 'browser' | 'file' | 'none';
  /** Of `words`, and of `list`, where several are given with commas. */
  words: readonly string[];
}

export interface Node {
  /** `browsers create` */
  path: string;
  /** The same with aliases: `b create`. */
  otherPaths: string[];
  words: string[];
  aliases: string[];
  flags: string[];
  /** Options that take a value, with what is offered for it. */
  values: [flag: string, offer: Offer][];
  /** By position; the last one again and again where the command takes many. */
  takes: Offer[];
  takesMany: boolean;
}

const nothing: Offer = { kind: 'none', words: [] };
const files: Offer = { kind: 'file', words: [] };
const browsers: Offer = { kind: 'browser', words: [] };

const words = (list: readonly string[], kind: 'words' | 'list' = 'words'): Offer => ({ kind, words: list });

function offerOfName(name: string): Offer {
  if (/^browsers?$/.test(name)) return browsers;
  return /^(files?|script|path|folder)$/.test(name) ? files : nothing;
}

function offerOf(option: Option): Offer {
  const list = suggestionsOf(option);
  if (list.length > 0) return words(list, option.parseArg === several ? 'list' : 'words');
  return offerOfName(/<([^>]+)>/.exec(option.flags)?.[1] ?? '');
}

const offerOfArgument = (argument: Argument): Offer =>
  argument.argChoices ? words(argument.argChoices) : offerOfName(argument.name());

const flagsOf = ({ long, short }: Option): string[] => [long, short].filter((flag) => flag !== undefined);
const namesOf = (command: Command): string[] => [command.name(), ...command.aliases()];

interface Above {
  paths: string[];
  /** Options of the whole program, which may stand anywhere. */
  global: Option[];
}

export function nodesOf(command: Command, above: Above = { paths: [''], global: [] }): Node[] {
  const own = command.options.filter(({ hidden }) => !hidden);
  const options = [...above.global, ...own];
  const children = command.commands.filter((child) => !('_hidden' in child && child._hidden));
  const { registeredArguments } = command;
  const [path = '', ...otherPaths] = above.paths;
  const node: Node = {
    path,
    otherPaths,
    words: children.map((child) => child.name()),
    aliases: children.flatMap((child) => child.aliases()),
    flags: [...options.flatMap(flagsOf).filter((flag) => flag.startsWith('--')), '--help'],
    values: options
      .filter(({ required }) => required)
      .flatMap((option) => flagsOf(option).map((flag): [string, Offer] => [flag, offerOf(option)])),
    takes: registeredArguments.map(offerOfArgument),
    takesMany: registeredArguments.at(-1)?.variadic ?? false,
  };
  const global = path === '' ? own : above.global;
  return [
    node,
    ...children.flatMap((child) => {
      const paths = above.paths.flatMap((before) => namesOf(child).map((name) => `${before} ${name}`.trim()));
      // the command's own name first
      return nodesOf(child, { paths, global });
    }),
  ];
}
