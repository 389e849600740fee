/**
 * Completion scripts, generated from the tree of commands. Words and options are in the script; ids of browsers are
 * fetched when they are completed, by `browserd complete browsers`, which gives up early.
 */
import type { Command } from 'commander';

export interface Node {
  /** `browsers create` */
  path: string;
  words: string[];
  options: string[];
  /** Options that take a value, after which no command is expected. */
  valued: string[];
  /** The first argument is a browser. */
  takesBrowser: boolean;
}

export function nodesOf(command: Command, path = '', inherited: readonly string[] = []): Node[] {
  const own = command.options.filter(({ hidden }) => !hidden);
  const flags = own.flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  const options = [...inherited, ...flags, '--help'];
  const children = command.commands.filter((child) => !('_hidden' in child && child._hidden));
  const node: Node = {
    path,
    words: children.map((child) => child.name()),
    options: options.filter((flag) => flag.startsWith('--')),
    valued: own
      .filter(({ required }) => required)
      .flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined)),
    takesBrowser: /^browsers?$/.test(command.registeredArguments[0]?.name() ?? ''),
  };
  const passedOn = path === '' ? flags : inherited;
  return [node, ...children.flatMap((child) => nodesOf(child, `${path} ${child.name()}`.trim(), passedOn))];
}

const valuedOptions = (nodes: Node[]): string[] => [...new Set(nodes.flatMap(({ valued }) => valued))];

const cases = (nodes: Node[], of: (node: Node) => string): string =>
  nodes.map((node) => `    '${node.path}') ${of(node)} ;;`).join('\n');

/** Finds the command that was typed: words that are neither options nor their values, as long as they name a command. */
const walk = (
  nodes: Node[],
): string => `  local path= word skip= known=' ${nodes.map(({ path }) => path.replaceAll(' ', '/')).join(' ')} '
  for word in "\${typed[@]}"; do
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
      ${valuedOptions(nodes).join('|')}) skip=1; continue ;;
      -*) continue ;;
    esac
    if [[ $known == *" \${path:+\${path// //}/}$word "* ]]; then path="\${path:+$path }$word"; fi
  done
  local words= options= browser=
  case $path in
${cases(nodes, ({ words, options, takesBrowser }) => `words='${words.join(' ')}' options='${options.join(' ')}'${takesBrowser ? ' browser=1' : ''}`)}
  esac`;

export const bash = (
  nodes: Node[],
): string => `# browserd completion for bash: source <(browserd completion bash)
_browserd() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk(nodes)}
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ $previous == --browser || $previous == -b || ( -n $browser && $previous == "\${path##* }" ) ]]; then
    COMPREPLY=($(compgen -W "$(browserd complete browsers 2>/dev/null)" -- "$current"))
  fi
}
complete -o default -F _browserd browserd
`;

export const zsh = (nodes: Node[]): string => `#compdef browserd
# browserd completion for zsh: source <(browserd completion zsh), or save it as _browserd in a folder of $fpath
_browserd() {
  setopt localoptions noksharrays
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]}
  local -a typed=("\${(@)words[2,CURRENT-1]}")
${walk(nodes).replace('local words=', 'local subcommands=').replaceAll(" words='", " subcommands='")}
  if [[ $current == -* ]]; then
    compadd -- \${=options}
  elif [[ -n $subcommands ]]; then
    compadd -- \${=subcommands}
  elif [[ $previous == --browser || $previous == -b || ( -n $browser && $previous == "\${path##* }" ) ]]; then
    compadd -- \${(f)"$(browserd complete browsers 2>/dev/null)"}
  else
    _files
  fi
}
if [[ $funcstack[1] == _browserd ]]; then _browserd "$@"; else compdef _browserd browserd; fi
`;

/** fish itself knows which words were typed. */
export function fish(nodes: Node[]): string {
  const under = ({ path }: Node, words: string[]): string =>
    [
      ...path
        .split(' ')
        .filter(Boolean)
        .map((word) => `__fish_seen_subcommand_from ${word}`),
      ...(words.length > 0 ? [`not __fish_seen_subcommand_from ${words.join(' ')}`] : []),
    ].join('; and ');
  const lines = nodes.flatMap((node) => {
    const here = under(node, node.words) || 'true';
    const browsers = node.takesBrowser
      ? [`complete -c browserd -n '${here}' -a '(browserd complete browsers 2>/dev/null)'`]
      : [];
    const words =
      node.words.length > 0 ? [`complete -c browserd -f -n '${here}' -a '${node.words.join(' ')}'`] : [];
    const options = node.options.map((flag) => `complete -c browserd -n '${here}' -l ${flag.slice(2)}`);
    return [...words, ...browsers, ...options];
  });
  return [
    '# browserd completion for fish: browserd completion fish > ~/.config/fish/completions/browserd.fish',
    ...lines,
    "complete -c browserd -x -s b -l browser -a '(browserd complete browsers 2>/dev/null)'",
    '',
  ].join('\n');
}
