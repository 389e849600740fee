/**
 * Completion scripts, generated from the tree of commands. Words and options are in the script; ids of browsers are
 * fetched when they are completed, by `browserd complete browsers`, which gives up early.
 *
 * Variables begin with `bd_`: zsh has parameters of its own called path, words, options, aliases and commands, and a
 * function that makes one of these local takes it away from the shell.
 */
import type { Node } from './nodes.ts';
import { knownPaths, rowsOf, valueRowsOf } from './tables.ts';

const patterns = (texts: string[]): string => texts.map((text) => `'${text}'`).join('|');

/** For bash and zsh, which share this much of their language. */
const tables = (nodes: Node[]): string => `_browserd_command() {
  case $1 in
${rowsOf(nodes)
  .map(
    ({ paths, words, aliases, flags, valued, takes }) =>
      `    ${patterns(paths)})
      bd_path='${paths[0]}' bd_words='${words}' bd_aliases='${aliases}' bd_takes='${takes}'
      bd_flags='${flags}'
      bd_valued='${valued}' ;;`,
  )
  .join('\n')}
  esac
}
_browserd_values() {
  case $1 in
${valueRowsOf(nodes)
  .map(({ keys, offer }) => `    ${patterns(keys)}) bd_offer='${offer}' ;;`)
  .join('\n')}
  esac
}`;

/**
 * Finds the command that was typed: words that are neither options nor their values, as long as they name a command;
 * the words after it are its arguments. bash gives `--engine=full` as three words.
 */
const walk = (
  nodes: Node[],
): string => `  local bd_path= bd_words= bd_aliases= bd_takes= bd_flags= bd_valued= bd_offer=
  local bd_word= bd_typed_path= bd_option= bd_kind= bd_at=0 bd_many= bd_last=
  local bd_known=' ${knownPaths(nodes)
    .map((path) => path.replaceAll(' ', '/'))
    .join(' ')} '
  _browserd_command ''
  for bd_word in "\${bd_typed[@]}"; do
    if [[ $bd_word == '=' && -n $bd_option ]]; then continue; fi
    if [[ -n $bd_option ]]; then bd_option=; continue; fi
    if [[ $bd_word == -* ]]; then
      if [[ $bd_valued == *" $bd_word "* ]]; then bd_option=$bd_word; fi
      continue
    fi
    if (( bd_at == 0 )) && [[ $bd_known == *" \${bd_typed_path:+\${bd_typed_path// //}/}$bd_word "* ]]; then
      bd_typed_path="\${bd_typed_path:+$bd_typed_path }$bd_word"
      _browserd_command "$bd_typed_path"
    else
      bd_at=$(( bd_at + 1 ))
    fi
  done`;

/** What the argument at this place is; `list` is written so that the shell splits it at blanks. */
const argument = (list: string): string => `    local bd_place=-1
    for bd_kind in ${list}; do
      if [[ $bd_kind == @more ]]; then bd_many=1; continue; fi
      bd_place=$(( bd_place + 1 )) bd_last=$bd_kind
      if (( bd_place == bd_at )); then bd_offer=\${bd_kind//,/ }; fi
    done
    if [[ -n $bd_many ]] && (( bd_place < bd_at )); then bd_offer=\${bd_last//,/ }; fi`;

export const bash = (
  nodes: Node[],
): string => `# browserd completion for bash: source <(browserd completion bash)
${tables(nodes)}
_browserd() {
  local bd_current=\${COMP_WORDS[COMP_CWORD]} bd_before=
  local bd_typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
${walk(nodes)}
  if [[ $bd_current == '=' ]]; then bd_current=; fi
  COMPREPLY=()
  if [[ -n $bd_option ]]; then
    _browserd_values "$bd_path:$bd_option"
  elif [[ $bd_current == -* ]]; then
    bd_offer=$bd_flags
  elif [[ -n $bd_words ]]; then
    COMPREPLY=($(compgen -W "$bd_words" -- "$bd_current"))
    if (( \${#COMPREPLY[@]} == 0 )); then bd_offer=$bd_aliases; fi
  else
${argument('$bd_takes')}
  fi
  case $bd_offer in
    @file)
      local IFS=$'\\n'
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen -f -- "$bd_current")) ;;
    @browser) COMPREPLY=($(compgen -W "$(browserd complete browsers 2>/dev/null)" -- "$bd_current")) ;;
    @list*)
      if [[ $bd_current == *,* ]]; then bd_before=\${bd_current%,*},; fi
      COMPREPLY=($(compgen -P "$bd_before" -W "\${bd_offer#@list}" -- "\${bd_current##*,}")) ;;
    @*|'') ;;
    *) COMPREPLY=($(compgen -W "$bd_offer" -- "$bd_current")) ;;
  esac
}
complete -F _browserd browserd
`;

export const zsh = (nodes: Node[]): string => `#compdef browserd
# browserd completion for zsh: source <(browserd completion zsh), or save it as _browserd in a folder of $fpath
${tables(nodes)}
_browserd() {
  emulate -L zsh
  local bd_current=\${words[CURRENT]}
  local -a bd_typed=("\${(@)words[2,CURRENT-1]}")
${walk(nodes)}
  if [[ -z $bd_option && $bd_current == --*=* ]]; then
    bd_option=\${bd_current%%=*}
    compset -P '*='
  fi
  if [[ -n $bd_option ]]; then
    _browserd_values "$bd_path:$bd_option"
  elif [[ $bd_current == -* ]]; then
    bd_offer=$bd_flags
  elif [[ -n $bd_words ]]; then
    compadd -- \${=bd_words} || compadd -- \${=bd_aliases}
    return
  else
${argument('$=bd_takes')}
  fi
  case $bd_offer in
    @file) _files ;;
    @browser) compadd -- \${(f)"$(browserd complete browsers 2>/dev/null)"} ;;
    @list*)
      compset -P '*,'
      compadd -S '' -- \${=bd_offer#@list} ;;
    @*|'') return 1 ;;
    *) compadd -- \${=bd_offer} ;;
  esac
}
if [[ $funcstack[1] == _browserd ]]; then _browserd "$@"; else compdef _browserd browserd; fi
`;
