/// An element of an XML document with its content.
///
/// Names have a short prefix for the namespace: `D:href` for `DAV:`, `C:calendar-data` for CalDAV, `S:getctag` for Calendar
/// Server, `A:calendar-color` for Apple, and `{namespace}name` for others.
struct XMLElement {
    static let prefixes = [
        "DAV:": "D", "urn:ietf:params:xml:ns:caldav": "C", "http://calendarserver.org/ns/": "S",
        "http://apple.com/ns/ical/": "A",
    ]

    let name: String
    /// The attribute `name`, or `nil` if there is none.
    let nameAttribute: String?
    var text = ""
    var children: [XMLElement] = []

    /// Returns the first child of that name, or `nil` if there is none.
    func child(_ name: String) -> XMLElement? {
        children.first { $0.name == name }
    }

    /// Returns all children of that name.
    func children(_ name: String) -> [XMLElement] {
        children.filter { $0.name == name }
    }

    /// The text without space at its ends, or `nil` if nothing is left.
    var trimmedText: String? {
        let trimmed = text.trimmingSpace
        return trimmed.isEmpty ? nil : trimmed
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmingSpace: String {
        var rest = self[...]
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest.drop { $0.isWhitespace })
    }
}
