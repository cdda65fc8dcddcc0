internal import TodoAPI

/// The numbers of conflicts on a command line: `3`, `3 5`, `3,5`.
struct ConflictNumbers {
    private(set) var numbers: [Int64] = []

    mutating func code(_ arguments: inout Arguments, _ usage: String) throws(ClientError) {
        var words: [String] = []
        try arguments.words(usage, &words, kind: .conflict)
        var typed = ItemNumbers()
        for word in words {
            guard typed.add(word), typed.ranges.isEmpty else {
                throw arguments.usage("'\(word.oneLine(bytesLimit: 80))' is not the number of a conflict")
            }
        }
        for number in typed.single where !numbers.contains(number) { numbers.append(number) }
    }
}
