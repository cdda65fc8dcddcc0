# Completion for todoctl in bash, printed by 'todoctl completion bash'.
_todoctl() {
    local current=${COMP_WORDS[COMP_CWORD]} line candidates=()
    COMPREPLY=()
    # Each line is a candidate and, behind a tab, what there is to say about it.
    mapfile -t candidates < <(todoctl __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    if [[ ${candidates[0]} == :files ]]; then
        compopt -o default
    elif ((${#candidates[@]} == 1 || COMP_TYPE == 37)); then
        for line in "${candidates[@]}"; do
            line=${line%%$'\t'*}
            # Within quotes bash wants the text as it is.
            [[ $current == [\'\"]* ]] || printf -v line %q "$line"
            COMPREPLY+=("$line")
        done
    else
        # As long as there are several, only what they have in common is inserted.
        for line in "${candidates[@]}"; do
            printf -v current %q "${line%%$'\t'*}"
            [[ $line == *$'\t'* ]] && current+="  ${line#*$'\t'}"
            COMPREPLY+=("$current")
        done
    fi
}
complete -F _todoctl todoctl
