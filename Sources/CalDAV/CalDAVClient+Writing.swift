extension CalDAVClient {
    /// Writes the text of an item.
    ///
    /// - Parameters:
    ///   - text: the iCalendar text.
    ///   - item: the URL of the item.
    ///   - etag: the etag of the version that is replaced, or `nil` to create an item that must not exist.
    /// - Returns: the new etag, or `nil` if the server gave none that is strong. The server may have changed the text in spite of
    ///   it.
    /// - Throws: `preconditionFailed` if another version is on the server. That is also the answer if a lost attempt of the same
    ///   call has succeeded, and the one of Radicale if the item is too large. Read the item to find out which it is.
    package func put(_ text: String, at item: DAVURL, ifMatch etag: String?) throws(CalDAVError) -> String? {
        let condition =
            etag.map { (name: "If-Match", value: EntityTag($0).strongText) } ?? ("If-None-Match", "*")
        let response = try connection(to: item).send(
            HTTPRequest(
                "PUT", item, headers: [("Content-Type", "text/calendar; charset=utf-8"), condition],
                body: text))
        switch response.status {
        case 200 where response.isPage: throw .notCalDAV(item, reason: Self.pageReason)
        case 200, 201, 204: break
        case 207: throw try refusal(in: response)
        default: throw Refusal(response).error
        }
        let tag = response.header("ETag")
        return tag.flatMap { EntityTag($0).isWeak ? nil : $0 }
    }

    /// Deletes an item. Returns whether it existed.
    ///
    /// - Throws: `preconditionFailed` if another version is on the server.
    package func delete(_ item: DAVURL, ifMatch etag: String) throws(CalDAVError) -> Bool {
        let response = try connection(to: item).send(
            HTTPRequest("DELETE", item, headers: [("If-Match", EntityTag(etag).strongText)]))
        switch response.status {
        case 200 where response.isPage: throw .notCalDAV(item, reason: Self.pageReason)
        case 200, 202, 204: return true
        case 404, 410: return false
        case 207:
            let error = try refusal(in: response)
            if case .notFound = error { return false }
            throw error
        default: throw Refusal(response).error
        }
    }

    private static let pageReason = "a web page answers instead, such as the login of a network"

    /// Creates a list for tasks and returns its URL.
    package func makeList(named name: String, in home: DAVURL) throws(CalDAVError) -> DAVURL {
        let list = home.appending(Self.newName(for: name)).asCollection
        let connection = connection(to: home)
        var response = try connection.send(
            HTTPRequest(
                "MKCALENDAR", list, headers: DAVConnection.xmlHeaders, body: XMLBody.makeCalendar(name: name))
        )
        if [405, 501].contains(response.status) {
            response = try connection.send(
                HTTPRequest(
                    "MKCOL", list, headers: DAVConnection.xmlHeaders, body: XMLBody.makeCollection(name: name)
                ))
        }
        switch response.status {
        case 200, 201, 204: return list
        case 207: throw try refusal(in: response)
        default: throw Refusal(response).error
        }
    }

    /// Returns the refusal that a server gives as a multistatus document.
    private func refusal(in response: HTTPResponse) throws(CalDAVError) -> CalDAVError {
        var refusal: CalDAVError?
        _ = try Multistatus.read(response) { row in
            let status = ([row.status] + row.failedStatuses).compactMap { $0 }.first { $0 >= 300 }
            if let status, refusal == nil { refusal = Refusal(row, status: status, of: response.url).error }
        }
        return refusal ?? .malformed(response.url, reason: "it has the status 207 but no refusal")
    }

    /// Returns a name for the URL of a new list: the letters and digits of its name, and a random number.
    private static func newName(for name: String) -> String {
        let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let readable = words.joined(separator: "-").prefix(32)
        let number = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        return readable.isEmpty ? number : "\(readable)-\(number)"
    }
}
