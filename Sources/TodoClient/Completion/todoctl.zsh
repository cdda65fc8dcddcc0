#compdef todoctl
# Completion for todoctl in zsh, printed by 'todoctl completion zsh'.
_todoctl() {
    local line
    local -a lines candidates
    # Each line is a candidate and, behind a tab, what there is to say about it.
    lines=("${(@f)$(todoctl __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ $lines[1] == :files ]]; then
        _files
        return
    fi
    for line in $lines; do
        candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    # As they come: the most urgent item first.
    _describe -V todoctl candidates
}
if [[ $funcstack[1] == _todoctl ]]; then
    _todoctl "$@"
else
    compdef _todoctl todoctl
fi
