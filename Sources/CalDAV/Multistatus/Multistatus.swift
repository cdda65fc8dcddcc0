/// A reader of multistatus documents.
enum Multistatus {
    /// The part of a document that belongs to no row.
    struct Summary {
        var syncToken: String?
        var rowCount = 0
    }

    /// Reads the body of a 207 answer and delivers its rows one by one.
    ///
    /// - Throws: `malformed` or `answerTooLarge`.
    static func read(
        _ response: HTTPResponse, rowsLimit: Int = 250_000,
        _ receive: @escaping (MultistatusRow) throws(XMLDocumentReader.Failure) -> Void
    ) throws(CalDAVError) -> Summary {
        let url = response.url
        let tooManyRows = "\(rowsLimit) rows"
        var summary = Summary()
        let root: String
        do {
            root = try XMLDocumentReader.read(response.body) { (element) throws(XMLDocumentReader.Failure) in
                switch element.name {
                case "D:response":
                    for row in try rows(element, base: url) {
                        summary.rowCount += 1
                        guard summary.rowCount <= rowsLimit else { throw .init(reason: tooManyRows) }
                        try receive(row)
                    }
                case "D:sync-token": summary.syncToken = element.trimmedText
                default: break
                }
            }
        } catch {
            if error.reason == tooManyRows { throw .answerTooLarge(url, limit: tooManyRows) }
            throw .malformed(url, reason: error.reason)
        }
        guard root == "D:multistatus" else {
            throw .malformed(url, reason: "it is no multistatus document")
        }
        return summary
    }

    /// Returns the rows of a response element: one for each URL.
    private static func rows(_ response: XMLElement, base: DAVURL) throws(XMLDocumentReader.Failure)
        -> [MultistatusRow]
    {
        let hrefs = response.children("D:href")
        guard !hrefs.isEmpty else { throw .init(reason: "a response has no URL") }
        var properties: [XMLElement] = []
        var failed: [Int] = []
        var precondition = self.precondition(response)
        let groups = response.children("D:propstat")
        for group in groups {
            guard let status = try status(group) else { throw .init(reason: "properties have no status") }
            if (200...299).contains(status) {
                properties += group.child("D:prop")?.children ?? []
            } else {
                failed.append(status)
                if precondition.element == nil { precondition = self.precondition(group) }
            }
        }
        let status = try status(response)
        guard status != nil || !groups.isEmpty else {
            throw .init(reason: "a response has neither a status nor properties")
        }
        var rows: [MultistatusRow] = []
        for href in hrefs {
            guard let text = href.trimmedText, let url = base.resolvingWithinServer(text) else {
                throw .init(reason: "'\(Precondition.shortened(href.text))' is not a URL")
            }
            rows.append(
                MultistatusRow(
                    href: url, status: status, properties: properties, failedStatuses: failed,
                    precondition: precondition))
        }
        return rows
    }

    private static func precondition(_ element: XMLElement) -> Precondition {
        var precondition = Precondition()
        for child in element.child("D:error")?.children ?? [] { precondition.add(child) }
        precondition.text =
            precondition.text
            ?? element.child("D:responsedescription")?.trimmedText.map(Precondition.shortened)
        return precondition
    }

    /// Returns the number in a status such as `HTTP/1.1 200 OK`, or `nil` if there is none.
    private static func status(_ element: XMLElement) throws(XMLDocumentReader.Failure) -> Int? {
        guard let child = element.child("D:status") else { return nil }
        let words = child.text.split { $0.isWhitespace }
        guard words.count >= 2, words[0].hasPrefix("HTTP/"), let number = Int(words[1]),
            (100...999).contains(number)
        else { throw .init(reason: "'\(Precondition.shortened(child.text))' is not a status") }
        return number
    }
}
