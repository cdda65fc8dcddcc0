/// A server as the user types it: a URL, a host, or an address such as `ann@example.org`.
struct TypedServer {
    /// The reasons why a text is not accepted.
    enum Invalid: Error {
        case empty
        /// A URL with another scheme than http and https.
        case scheme(String)
        /// A URL with a password. It must not be shown.
        case password
        case noHost
    }

    /// The text for the server, without a user in a URL.
    let url: String
    /// The user in an address or a URL, or `nil` if there is none.
    let user: String?
    /// The host, which messages name.
    let host: String
    /// Whether the text is an address, some servers of which take it as a whole as the user.
    let isAddress: Bool
    private let isEncrypted: Bool

    init(_ text: String) throws(Invalid) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty }
        let scheme = Self.scheme(of: text)
        if let scheme, !["http", "https"].contains(scheme.lowercased()) { throw .scheme(scheme) }
        isEncrypted = scheme?.lowercased() != "http"
        let start = scheme.map { "\($0)://" } ?? ""
        let rest = text.dropFirst(start.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let at = authority.lastIndex(of: "@")
        let typedUser = at.map { authority[..<$0] }
        if typedUser?.contains(":") == true { throw .password }
        let place = at.map { authority[authority.index(after: $0)...] } ?? authority
        user = typedUser.flatMap { $0.isEmpty ? nil : String($0) }
        host = Self.host(in: place)
        if host.isEmpty { throw .noHost }
        isAddress = scheme == nil && user != nil && authority.count == rest.count
        url = isAddress ? text : start + place + rest.dropFirst(authority.count)
    }

    /// Whether others could read the password on its way to the server.
    var isReadable: Bool {
        let name = host.lowercased()
        let isLoopback =
            name == "localhost" || name.hasSuffix(".localhost") || name == "::1" || Self.isLoopback(name)
        return !isEncrypted && !isLoopback
    }

    private static func scheme(of text: String) -> String? {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        return String(text[..<colon])
    }

    /// Returns the host in `example.org:5232` or `[::1]:5232`.
    private static func host(in place: Substring) -> String {
        if place.hasPrefix("[") { return String(place.dropFirst().prefix { $0 != "]" }) }
        return String(place.prefix { $0 != ":" })
    }

    /// Whether the name is an address of IPv4 that begins with 127.
    private static func isLoopback(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
