import Testing

@testable import TodoClient

@Suite struct PriorityTests {
    @Test(arguments: [("1", 1), ("9", 9), ("0", 0), ("high", 1), ("Medium", 5), ("LOW", 9), ("none", 0)])
    func priorityIsANumberOrAWord(text: String, number: Int64) {
        #expect(Priority.number(text) == number)
    }

    /// L1: A filter accepts words for several priorities, ranges and lists.
    @Test(
        arguments: [
            ("high", [1, 2, 3, 4]), ("LOW", [6, 7, 8, 9]), ("medium", [5]), ("none", [0]),
            ("1-3,none", [0, 1, 2, 3]),
            ("7", [7]), ("", nil), ("3-1", nil), ("1-10", nil), ("high,", nil), ("-2", nil), ("1--2", nil),
        ] as [(String, [Int64]?)])
    func filterSelectsSeveralPriorities(text: String, numbers: [Int64]?) {
        #expect(Priority.numbers(text) == numbers)
    }

    @Test func mistypedPriorityHasASuggestion() throws {
        let words = ["x", "-p", "hihg"]
        let errors = [
            try #require(throws: ClientError.self) {
                var arguments = try Arguments(words, verb: "add", declared: AddItemCommand.declared)
                var command = AddItemCommand()
                try command.code(&arguments)
            },
            try #require(throws: ClientError.self) {
                var arguments = try Arguments(words, verb: "list", declared: ListItemsCommand.declared)
                var command = ListItemsCommand()
                try command.code(&arguments)
            },
        ]
        for error in errors { #expect(error.message.contains("Did you mean 'high'?"), "\(error.message)") }
    }

    @Test(arguments: ["", "urgent", "-1", "1.5", "high ", "H"])
    func otherTextIsNotAPriority(text: String) {
        #expect(Priority.number(text) == nil)
    }
}
