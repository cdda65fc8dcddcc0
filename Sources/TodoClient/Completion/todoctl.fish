# Completion for todoctl in fish, printed by 'todoctl completion fish'.
function __todoctl_candidates
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    # Each line is a candidate, which may be followed by a tab and a description.
    set -l lines (todoctl __complete $words[2..] "$current" 2>/dev/null)
    # Fish replaces the whole word, such as '--category=h', so candidates include the option.
    set -l option (string match --regex -- '^--[^=]+=' "$current")
    if test "$lines[1]" = :files
        set lines (__fish_complete_path (string replace -- "$option" '' "$current"))
    end
    if set --query lines[1]
        printf '%s\n' "$option"$lines
    end
end
complete --command todoctl --no-files --keep-order --arguments '(__todoctl_candidates)'
