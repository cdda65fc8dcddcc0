#compdef todoctl
# Completion for todoctl in zsh, printed by 'todoctl completion zsh'.
_todoctl() {
    local line
    local -a lines candidates
    # Each line is a candidate, which may be followed by a tab and a description.
    lines=("${(@f)$(todoctl __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ $lines[1] == :files ]]; then
        _files
        return
    fi
    for line in $lines; do
        # Escape the characters that are special to _describe.
        line=${line//\\/\\\\}
        if [[ $line == *$'\t'* ]]; then
            candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
        else
            candidates+=("${line//:/\\:}")
        fi
    done
    # Keep the order, which has the most urgent item first, and ignore case.
    _describe -V todoctl candidates -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
}
if [[ $funcstack[1] == _todoctl ]]; then
    _todoctl "$@"
else
    compdef _todoctl todoctl
fi
