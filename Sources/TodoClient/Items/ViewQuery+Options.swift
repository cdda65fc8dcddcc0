internal import TodoAPI

extension ViewQuery {
    /// The words and options of `list` that mean the same, for example `--tag office --sort due`.
    var typed: String {
        let isOverdue = dueBefore == "now"
        let values: [(String, String?)] = [
            ("--category", category), ("--tag", tags?.joined(separator: ",")),
            ("--priority", priorities?.map(String.init).joined(separator: ",")),
            ("--due-before", isOverdue ? nil : dueBefore), ("--due-after", dueAfter), ("--within", within),
            ("--where", self.where), ("--sort", order?.joined(separator: ",")), ("--group", group),
            ("--limit", limit.map(String.init)),
        ]
        let flag: [String] =
            switch state {
            case .all?: ["--all"]
            case .completed?: ["--done"]
            case .waiting?: ["--waiting"]
            case .open?, nil: []
            }
        let words = text.map { $0.split(separator: " ").map { ShellWord.quoted(String($0)) } } ?? []
        let options = values.compactMap { name, value in value.map { "\(name) \(ShellWord.quoted($0))" } }
        return (words + flag + (isOverdue ? ["--overdue"] : []) + options).joined(separator: " ")
    }
}
