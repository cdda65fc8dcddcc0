internal import TodoAPI

/// The items that a command is to act on: `3 5`.
struct ItemSelection {
    private(set) var ids: [Int64] = []

    /// `usage` is `ID...`, or `ID` where one is enough.
    mutating func code(_ arguments: inout Arguments, _ usage: String = "ID...") throws(ClientError) {
        try arguments.items(usage, &ids)
    }
}
