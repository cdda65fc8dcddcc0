@testable import CalDAV

/// A check of the readers of answers with any input. The fuzzer runs it, and a test replays the fuzzer's corpus.
enum AnswerFuzz {
    /// A result that must not be.
    struct Mistake: Error {
        let description: String
    }

    /// Reads the bytes as every kind of answer. Errors are expected, and traps are not.
    static func run(_ bytes: [UInt8]) throws {
        guard let list = DAVURL("https://h/ann/list/") else { throw Mistake(description: "no list") }
        let answer = HTTPResponse(url: list, status: 207, headers: [], body: bytes)
        if let page = try? ChangePage(answer, of: list, since: "t") {
            for href in page.changed.map(\.href) + page.deleted {
                try check(href)
                guard href.isSameOrigin(as: list) else { throw Mistake(description: "\(href) is elsewhere") }
            }
        }
        var listing = ItemListing()
        _ = try? Multistatus.read(answer) { (row) throws(XMLDocumentReader.Failure) in
            try listing.add(row, of: list)
            _ = RemoteListReader.list(row)
        }
        _ = Refusal(answer).error.description
        _ = DNSAnswer(bytes)

        let text = String(decoding: bytes, as: UTF8.self)
        if let url = DAVURL(text) { try check(url) }
        if let url = list.resolving(text) { try check(url) }
        if let url = list.resolvingWithinServer(text) { try check(url) }
        let tag = EntityTag(text)
        guard EntityTag(tag.strongText).strongText.utf8.count <= text.utf8.count else {
            throw Mistake(description: "the etag has grown")
        }
        _ = TypedAddress(text)
    }

    /// Checks that the text of a URL means the same URL, and contains nothing that could end a line of a request.
    private static func check(_ url: DAVURL) throws {
        let text = url.description
        guard let again = DAVURL(text), again == url, again.description == text else {
            throw Mistake(description: "\(text) is read as \(DAVURL(text)?.description ?? "nothing")")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), url.path.hasPrefix("/") else {
            throw Mistake(description: "\(text) has a byte that must not be there")
        }
        let collection = url.asCollection
        guard collection.asCollection == collection, url.appending(url.name).isSameOrigin(as: url) else {
            throw Mistake(description: "\(text) as a collection is \(collection)")
        }
    }
}
