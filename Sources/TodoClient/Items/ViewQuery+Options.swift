internal import TodoAPI

extension ViewQuery {
    /// The words and options of `list` that mean the same, for example `--tag office --sort due`.
    var typed: String {
        let query = parameters
        let isOverdue = query.dueBefore == "now"
        let values: [(String, String?)] = [
            ("--category", query.category), ("--tag", query.tags?.joined(separator: ",")),
            ("--priority", query.priorities?.map(String.init).joined(separator: ",")),
            ("--parent", query.parent.map(String.init)),
            ("--due-before", isOverdue ? nil : query.dueBefore), ("--due-after", query.dueAfter),
            ("--within", query.within), ("--where", query.where),
            ("--sort", query.order?.joined(separator: ",")), ("--group", group),
            ("--limit", query.limit.map(String.init)),
        ]
        let state: [String] =
            switch query.state {
            case .all?: ["--all"]
            case .completed?: ["--done"]
            case .waiting?: ["--waiting"]
            case .open?, nil: []
            }
        let flags =
            state + (isOverdue ? ["--overdue"] : [])
            + (query.blocked.map { [$0 ? "--blocked" : "--unblocked"] } ?? [])
        let words = query.text.map { $0.split(separator: " ").map { ShellWord.quoted(String($0)) } } ?? []
        let options = values.compactMap { name, value in value.map { "\(name) \(ShellWord.quoted($0))" } }
        return (words + flags + options).joined(separator: " ")
    }
}
