import Testing

@testable import TodoAPI
@testable import TodoService

@Suite struct ImportUploadTests {
    private let held = ImportUpload.Held()
    private let most = String(repeating: "x", count: Import.textBytesLimit)

    private func expectRefusal(_ reason: String, _ body: () throws -> Void) {
        let error = #expect(throws: APIError.self) { try body() }
        guard case .invalidValue("text", let found)? = error else { return #expect(Bool(false)) }
        #expect(found.contains(reason), "\(found)")
    }

    @Test func textBeyondTheLimitIsRefused() throws {
        let text = ImportUpload(held)
        try text.append(most)
        expectRefusal("longer than \(Import.textBytesLimit) bytes") { try text.append("x") }
        #expect(text.take().utf8.count == Import.textBytesLimit)
    }

    @Test func importsTogetherAreLimited() throws {
        var texts = (0..<Import.heldBytesLimit / Import.textBytesLimit).map { _ in ImportUpload(held) }
        for text in texts { try text.append(most) }
        let late = ImportUpload(held)
        expectRefusal("imports on other connections") { try late.append("x") }
        // A removed import makes room for another one.
        texts.removeFirst()
        try late.append(most)
        expectRefusal("longer than") { try late.append("x") }
    }
}
