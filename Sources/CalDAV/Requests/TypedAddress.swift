/// An address of an account as the user typed it.
package struct TypedAddress {
    /// The URLs at which the search begins, in this order.
    let urls: [DAVURL]
    /// The domain whose servers the DNS may name, or `nil` if the user named the server.
    let domain: String?

    /// Reads a URL, a host with an optional port and path, or a mail address. `nil` if the text is none of them.
    init?(_ typed: String) {
        let text = typed.trimmingSpace
        if text.contains("://") {
            guard let url = DAVURL(text) else { return nil }
            (urls, domain) = (Self.candidates(url), nil)
            return
        }
        // The part before @ is the user name, which the credentials have.
        let place = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text[...]
        guard let encrypted = DAVURL("https://\(place)"), !place.contains(where: \.isWhitespace) else {
            return nil
        }
        let isDomain = encrypted.path == "/" && encrypted.port == 443 && !encrypted.isLoopback
        guard !encrypted.isLoopback else {
            guard let plain = DAVURL("http://\(place)") else { return nil }
            (urls, domain) = (Self.candidates(plain), nil)
            return
        }
        (urls, domain) = (Self.candidates(encrypted), isDomain ? encrypted.host : nil)
    }

    /// Returns the host of a text that a user has typed, or `nil` if it names none.
    package static func host(of typed: String) -> String? { TypedAddress(typed)?.urls.first?.host }

    /// Returns the URL, and then the well-known URL and the root of its server. For a bare host, the well-known URL is first.
    private static func candidates(_ url: DAVURL) -> [DAVURL] {
        let wellKnown = wellKnown(url)
        return url.path == "/" ? [wellKnown, url.root] : [url, wellKnown, url.root]
    }

    /// Returns the URL at which a server says where its CalDAV service is (RFC 6764, section 5).
    static func wellKnown(_ url: DAVURL) -> DAVURL {
        url.replacing(path: "/.well-known/caldav", query: nil)
    }
}
