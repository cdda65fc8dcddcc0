/// An absolute `http` or `https` URL of a CalDAV resource.
///
/// The path keeps the percent-encoding in which the server wrote it, because some servers find a resource only under that
/// spelling. Two URLs are equal if they differ only in encoding: `/ann%40home/` and `/ann@home/` are the same. A user name or a
/// password in the text is dropped, and so is a fragment.
package struct DAVURL: Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case. An IPv6 address has its brackets.
    package let host: String
    package let port: Int
    /// The path as the server wrote it. It begins with `/`.
    package let path: String
    /// The text after `?`, or `nil` if there is none.
    package let query: String?
    /// The path in the spelling that decides equality.
    let comparedPath: String

    /// Reads an absolute URL, or returns `nil` if the text is not an `http` or `https` URL with a host.
    package init?(_ text: String) {
        guard let reference = URLReference(text), let scheme = reference.scheme,
            let authority = reference.authority, let place = URLAuthority(authority, scheme: scheme)
        else { return nil }
        self.init(scheme: scheme, authority: place, path: reference.path, query: reference.query)
    }

    private init(scheme: String, authority: URLAuthority, path: String, query: String?) {
        self.init(scheme: scheme, host: authority.host, port: authority.port, path: path, query: query)
    }

    private init(scheme: String, host: String, port: Int, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = URLPath.withoutDotSegments(path.isEmpty ? "/" : path)
        self.query = query
        comparedPath = URLPath.compared(self.path)
    }

    /// Returns the URL that a reference in an answer of this URL means, or `nil` if it is none.
    ///
    /// The reference is absolute, begins with `//host` or `/`, or is relative to the path of this URL.
    package func resolving(_ reference: String) -> DAVURL? {
        guard let reference = URLReference(reference) else { return nil }
        let scheme = reference.scheme ?? scheme
        if let authority = reference.authority {
            guard let place = URLAuthority(authority, scheme: scheme) else { return nil }
            return DAVURL(scheme: scheme, authority: place, path: reference.path, query: reference.query)
        }
        // A scheme without a host, such as mailto:ann@example.org, is no place on a server.
        guard reference.scheme == nil else { return nil }
        if reference.path.isEmpty { return replacing(path: path, query: reference.query ?? query) }
        if reference.path.hasPrefix("/") { return replacing(path: reference.path, query: reference.query) }
        let directory = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return replacing(path: directory + reference.path, query: reference.query)
    }

    /// Returns the URL of a member of this collection. The name is encoded.
    package func appending(_ name: String) -> DAVURL {
        replacing(path: asCollection.path + URLPath.encoded(name), query: nil)
    }

    /// The same URL with a `/` at its end.
    package var asCollection: DAVURL {
        path.hasSuffix("/") && query == nil
            ? self : replacing(path: path.hasSuffix("/") ? path : path + "/", query: nil)
    }

    /// The last part of the path, decoded, without a `/` at its end. Empty for `/`.
    package var name: String {
        let parts = path.split(separator: "/")
        return parts.last.map { URLPath.decoded(String($0)) } ?? ""
    }

    /// Whether the resource belongs to SOGo, which differs from other servers. See the page on synchronization.
    package var isOfSOGo: Bool { path.contains("/SOGo/dav/") }

    /// Whether both URLs have the same scheme, host and port.
    package func isSameOrigin(as other: DAVURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Whether both URLs are equal except for a `/` at the end.
    package func isSameResource(as other: DAVURL) -> Bool {
        isSameOrigin(as: other) && query == other.query
            && Self.withoutSlash(comparedPath) == Self.withoutSlash(other.comparedPath)
    }

    /// Whether the connection is encrypted.
    package var isEncrypted: Bool { scheme == "https" }

    /// Whether the host is this machine.
    package var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || URLAuthority.isLoopback(host)
    }

    /// The scheme, the host and the port, unless it is the default one, followed by `/`.
    package var root: DAVURL { replacing(path: "/", query: nil) }

    /// The path and the query: the part of the URL that a request to the server names.
    package var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// The URL as text, which `init` reads.
    package var description: String {
        let isDefault = port == URLAuthority.defaultPort(of: scheme)
        return "\(scheme)://\(host)\(isDefault ? "" : ":\(port)")\(target)"
    }

    func replacing(path: String, query: String?) -> DAVURL {
        DAVURL(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    private static func withoutSlash(_ path: String) -> Substring {
        path.hasSuffix("/") ? path.dropLast() : path[...]
    }
}

extension DAVURL: Hashable {
    package static func == (first: DAVURL, second: DAVURL) -> Bool {
        first.isSameOrigin(as: second) && first.comparedPath == second.comparedPath
            && first.query == second.query
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(comparedPath)
    }
}
