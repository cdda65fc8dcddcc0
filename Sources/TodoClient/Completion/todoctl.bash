# Completion for todoctl in bash, printed by 'todoctl completion bash'.
_todoctl() {
    local current=${COMP_WORDS[COMP_CWORD]} line candidates=()
    COMPREPLY=()
    # Each line is a candidate, which may be followed by a tab and a description.
    mapfile -t candidates < <(todoctl __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [[ ${candidates[0]} == :files ]]; then
        compopt -o default
    elif ((${#candidates[@]} == 1 || COMP_TYPE == 37)); then
        for line in "${candidates[@]}"; do
            line=${line%%$'\t'*}
            # Within quotes, bash inserts the text unchanged, so it must not be escaped.
            [[ $current == [\'\"]* ]] || printf -v line %q "$line"
            COMPREPLY+=("$line")
        done
    else
        # With several candidates, bash inserts only their common prefix and lists the descriptions.
        for line in "${candidates[@]}"; do
            printf -v current %q "${line%%$'\t'*}"
            [[ $line == *$'\t'* ]] && current+="  ${line#*$'\t'}"
            COMPREPLY+=("$current")
        done
    fi
}
complete -F _todoctl todoctl
