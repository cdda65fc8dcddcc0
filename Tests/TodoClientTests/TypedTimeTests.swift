import Testing

@testable import TodoClient

@Suite struct TypedTimeTests {
    @Test(arguments: [
        (["5h"], "5h"), (["for", "5", "hours"], "5 hours"), (["for 5 hours"], "5 hours"),
        (["for", "5 hours"], "5 hours"), ([" For\t5  hours "], "5 hours"),
        (["until", "tomorrow", "9am"], "tomorrow 9am"), (["until tomorrow 9am"], "tomorrow 9am"),
        (["until"], "until"), (["off"], "off"), (["tomorrow until"], "tomorrow until"), ([""], ""),
        (["  "], ""),
    ])
    func quotedTimeIsReadAsSeveralWords(words: [String], text: String) {
        let time = TypedTime(words)
        #expect(time.text(after: "until", "for") == text)
        #expect(!time.isEmpty)
    }

    @Test func missingTimeIsEmpty() {
        #expect(TypedTime([]).isEmpty)
    }

    @Test(arguments: ["minutes", "h", "PM", "dec", "December", "weeks 2 days", "months"])
    func unitLacksNumber(text: String) {
        #expect(TypedTime([text]).lacksNumber)
    }

    @Test(arguments: ["", "5 minutes", "9am", "until 5", "for 5 minutes", "tomorrow", "friday", "noon", "x"])
    func completeTimeLacksNoNumber(text: String) {
        #expect(!TypedTime([text]).lacksNumber)
    }
}
