/// A server that the DNS names for a service of a domain (RFC 2782).
struct ServiceRecord: Equatable, Sendable {
    let priority: Int
    let weight: Int
    let port: Int
    let host: String
}
