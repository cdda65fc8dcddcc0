import Testing

@testable import TodoClient

@Suite struct PriorityTests {
    @Test(arguments: [("1", 1), ("9", 9), ("0", 0), ("high", 1), ("Medium", 5), ("LOW", 9), ("none", 0)])
    func isANumberOrAWord(text: String, number: Int64) {
        #expect(Priority.number(text) == number)
    }

    @Test(arguments: ["", "urgent", "-1", "1.5", "high ", "H"])
    func isNothingElse(text: String) {
        #expect(Priority.number(text) == nil)
    }
}
