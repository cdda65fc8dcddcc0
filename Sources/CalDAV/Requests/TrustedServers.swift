/// The servers to which the password of an account is sent.
///
/// These are the servers whose URLs the user gave, and the encrypted servers of the same domain. A server or the DNS can
/// therefore move the account within its domain, but not out of it.
struct TrustedServers {
    private var origins: [DAVURL] = []
    private var domains: [String] = []

    /// The server of a URL, and encrypted servers on the same host.
    init(_ url: DAVURL) {
        origins = [url]
    }

    /// The servers of a domain: its own host, the hosts below it and, if it has at least three labels, its sister hosts.
    init(domain: String) {
        addDomain(domain)
    }

    mutating func add(_ url: DAVURL) {
        origins.append(url)
    }

    mutating func addDomain(_ domain: String) {
        domains.append(Self.widened(domain))
    }

    func include(_ url: DAVURL) -> Bool {
        if origins.contains(where: { $0.isSameOrigin(as: url) }) { return true }
        guard url.isEncrypted else { return false }
        return origins.contains { $0.host == url.host }
            || domains.contains { url.host == $0 || url.host.hasSuffix("." + $0) }
    }

    /// Returns the parent of a host such as `caldav.example.org`, and any other host unchanged: an address, `example.org`, or
    /// `example.co.uk`, the parent of which belongs to a registry.
    private static func widened(_ host: String) -> String {
        let labels = host.split(separator: ".")
        let isAddress = host.hasPrefix("[") || labels.last.map { Int($0) != nil } ?? true
        guard labels.count > 2, !isAddress else { return host }
        let isRegistry = labels.count == 3 && labels[2].count == 2 && labels[1].count <= 3
        return isRegistry ? host : labels.dropFirst().joined(separator: ".")
    }
}
