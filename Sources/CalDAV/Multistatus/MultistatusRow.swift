/// The answer about one resource in a multistatus document (RFC 4918, section 14.24).
struct MultistatusRow {
    let href: DAVURL
    /// The status of the resource, or `nil` if the row has properties instead.
    let status: Int?
    /// The properties that the server gave.
    let properties: [XMLElement]
    /// The statuses of the properties that the server did not give.
    let failedStatuses: [Int]
    /// The precondition of a refusal.
    let precondition: Precondition

    func property(_ name: String) -> XMLElement? {
        properties.first { $0.name == name }
    }

    /// The text of a property without space at its ends, or `nil` if it is absent or empty.
    func text(_ name: String) -> String? {
        property(name)?.trimmedText
    }

    /// The URLs in a property, resolved.
    func urls(_ name: String) -> [DAVURL] {
        let hrefs = property(name)?.children("D:href") ?? []
        return hrefs.compactMap { href.resolvingWithinServer($0.text) }
    }

    /// Whether the resource is a collection, as its type or its URL says.
    var isCollection: Bool {
        property("D:resourcetype")?.child("D:collection") != nil || href.path.hasSuffix("/")
    }

    var isCalendar: Bool { property("D:resourcetype")?.child("C:calendar") != nil }

    /// Whether the server marks the resource as something other than a task, such as an event.
    var isOtherComponent: Bool {
        let parameters = text("D:getcontenttype")?.lowercased().split(separator: ";").dropFirst() ?? []
        let component = parameters.map { String($0).trimmingSpace }.first { $0.hasPrefix("component=") }
        return component.map { !$0.contains("vtodo") } ?? false
    }

    /// Whether the user may not change the collection. Without a set of privileges it can be changed.
    var isReadOnly: Bool {
        guard let privileges = property("D:current-user-privilege-set")?.children("D:privilege"),
            !privileges.isEmpty
        else { return false }
        let writing: Set<String> = ["D:all", "D:write", "D:write-content", "D:bind"]
        return !privileges.contains { $0.children.contains { writing.contains($0.name) } }
    }
}

extension DAVURL {
    /// Returns the URL of a reference. A URL of the same host with another scheme or port is one of this server, because a server
    /// does not know the scheme and the port of the proxy before it.
    func resolvingWithinServer(_ reference: String) -> DAVURL? {
        // SOGo does not encode the names in its reports.
        let reference =
            isOfSOGo ? reference.replacing("#", with: "%23").replacing("?", with: "%3F") : reference
        guard let url = resolving(reference) else { return nil }
        return url.host == host ? replacing(path: url.path, query: url.query) : url
    }
}
