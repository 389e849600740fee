/** Completion for fish: the same walk and the same tables as for bash and zsh, in its own language. */
import type { Node } from './nodes.ts';
import { knownPaths, rowsOf, valueRowsOf } from './tables.ts';

const quoted = (texts: string[]): string => texts.map((text) => `'${text}'`).join(' ');

export const fish = (
  nodes: Node[],
): string => `# browserd completion for fish: browserd completion fish > ~/.config/fish/completions/browserd.fish
function __browserd_command --no-scope-shadowing
    switch "$argv[1]"
${rowsOf(nodes)
  .map(
    ({ paths, words, aliases, flags, valued, takes }) => `        case ${quoted(paths)}
            set bd_path '${paths[0]}'
            set bd_words ${words} ${aliases}
            set bd_flags ${flags}
            set bd_valued ${valued.trim()}
            set bd_takes ${takes}`,
  )
  .join('\n')}
    end
end
function __browserd_values
    switch "$argv[1]"
${valueRowsOf(nodes)
  .map(({ keys, offer }) => `        case ${quoted(keys)}\n            string split ' ' '${offer}'`)
  .join('\n')}
    end
end
function __browserd_offer
    switch "$argv[1]"
        case @file
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case @browser
            browserd complete browsers 2>/dev/null
        case @list
            set -l bd_before (commandline -ct | string replace -rf '^(?:--[^=]*=)?(.*,).*$' '$1')
            for bd_word in $argv[2..]
                echo "$bd_before$bd_word"
            end
        case '@*' ''
        case '*'
            printf '%s\\n' $argv
    end
end
function __browserd_complete
    set -l bd_path ''
    set -l bd_words
    set -l bd_flags
    set -l bd_valued
    set -l bd_takes
    set -l bd_option ''
    set -l bd_typed_path ''
    set -l bd_at 1
    set -l bd_known ${quoted(knownPaths(nodes))}
    set -l bd_tokens (commandline -opc)
    set -l bd_current (commandline -ct)
    __browserd_command ''
    for bd_word in $bd_tokens[2..]
        if test -n "$bd_option"
            set bd_option ''
            continue
        end
        if string match -q -- '-*' $bd_word
            contains -- $bd_word $bd_valued; and set bd_option $bd_word
            continue
        end
        set -l bd_next (string trim "$bd_typed_path $bd_word")
        if test $bd_at -eq 1; and contains -- $bd_next $bd_known
            set bd_typed_path $bd_next
            __browserd_command $bd_next
        else
            set bd_at (math $bd_at + 1)
        end
    end
    if test -n "$bd_option"
        __browserd_offer (__browserd_values "$bd_path:$bd_option")
    else if string match -q -- '--*=*' $bd_current
        set -l bd_flag (string split -m 1 = -- $bd_current)[1]
        for bd_word in (__browserd_offer (__browserd_values "$bd_path:$bd_flag"))
            echo "$bd_flag=$bd_word"
        end
    else if string match -q -- '-*' $bd_current
        printf '%s\\n' $bd_flags
    else if set -q bd_words[1]
        printf '%s\\n' $bd_words
    else if contains -- @more $bd_takes
        set -e bd_takes[-1]
        __browserd_offer (string split , -- $bd_takes[(math "min($bd_at, "(count $bd_takes)")")])
    else if test $bd_at -le (count $bd_takes)
        __browserd_offer (string split , -- $bd_takes[$bd_at])
    end
end
complete -c browserd -f -a '(__browserd_complete)'
`;
