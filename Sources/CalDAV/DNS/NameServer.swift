internal import CLinux

/// The lookup of CalDAV servers in the DNS (RFC 6764).
struct NameServer: Sendable {
    private static let answerBytes = 16 << 10

    /// Returns the answer of the name server to a question, or `nil` if there is none.
    let query: @Sendable (_ name: String, _ type: Int) -> [UInt8]?

    /// The name server of the system.
    static let system = NameServer { name, type in
        var answer = [UInt8](repeating: 0, count: answerBytes)
        let count = answer.withUnsafeMutableBufferPointer {
            todod_name_query(name, Int32(type), $0.baseAddress, Int32($0.count))
        }
        guard count > 0, count <= answer.count else { return nil }
        return Array(answer.prefix(Int(count)))
    }

    /// Returns the encrypted CalDAV servers of a domain, in the order in which they are to be tried.
    func servers(of domain: String) -> [ServiceRecord] {
        guard let answer = query("_caldavs._tcp.\(domain)", DNSAnswer.serviceType),
            let records = DNSAnswer(answer)
        else { return [] }
        // A host of "." says that the domain has no such service.
        return records.services.filter { !$0.host.isEmpty && $0.port > 0 }
            .sorted { ($0.priority, -$0.weight) < ($1.priority, -$1.weight) }
    }

    /// Returns the path on these servers, or `nil` if the domain names none.
    func path(of domain: String) -> String? {
        guard let answer = query("_caldavs._tcp.\(domain)", DNSAnswer.textType),
            let records = DNSAnswer(answer)
        else { return nil }
        let paths = records.texts.filter { $0.hasPrefix("path=/") }.map { String($0.dropFirst(5)) }
        return paths.first
    }
}
