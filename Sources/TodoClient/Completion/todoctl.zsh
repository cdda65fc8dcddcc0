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
        # What _describe takes for its own signs.
        line=${line//\\/\\\\}
        if [[ $line == *$'\t'* ]]; then
            candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        else
            candidates+=("${line//:/\\:}")
        fi
    done
    # As they come, the most urgent item first; and whatever the case of the letters.
    _describe -V todoctl candidates -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
}
if [[ $funcstack[1] == _todoctl ]]; then
    _todoctl "$@"
else
    compdef _todoctl todoctl
fi
