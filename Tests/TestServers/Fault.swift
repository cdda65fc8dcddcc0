/// An instruction for a `FaultProxy`: the failure, and the requests that it applies to.
package struct Fault: Encodable, Sendable {
    package enum Kind: String, Encodable, Sendable {
        /// The connection ends before the server gets the request.
        case cutBefore = "cut-before"
        /// The server carries the request out, and the connection ends without an answer.
        case cutAfter = "cut-after"
        /// The proxy answers by itself.
        case reply
        /// The answer comes late.
        case slow
        /// The connection ends in the middle of the body.
        case truncate
        /// Etags get the suffix `-gzip`, as from a proxy that compresses.
        case etagSuffix = "etag-suffix"
        /// Etags in the head get the prefix `W/`.
        case etagWeak = "etag-weak"
        case garbage
        /// No answer comes until the client gives up.
        case silence
    }

    package var kind: Kind
    package var method: String?
    /// A part of the path, or `nil` for all paths.
    package var path: String?
    package var times = 1
    /// The number of requests that pass before the fault applies.
    package var skip = 0
    /// The processes that are killed when the fault applies.
    package var kills: [Int32] = []
    package var seconds = 0.0
    package var status = 200
    package var headers: [[String]] = []
    package var body = ""

    package init(
        _ kind: Kind, method: String? = nil, path: String? = nil, times: Int = 1, seconds: Double = 0
    ) {
        (self.kind, self.method, self.path) = (kind, method, path)
        (self.times, self.seconds) = (times, seconds)
    }

    /// An answer of the proxy.
    package static func reply(
        _ status: Int, headers: [String: String] = [:], body: String = "", method: String? = nil,
        path: String? = nil, times: Int = 1
    ) -> Fault {
        var fault = Fault(.reply, method: method, path: path, times: times)
        fault.status = status
        fault.headers = headers.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
        fault.body = body
        return fault
    }

    /// The answer of a server that does not know the sync token.
    package static func refusedToken(status: Int = 403, times: Int = 1) -> Fault {
        reply(
            status, headers: ["Content-Type": "application/xml"],
            body: "<?xml version=\"1.0\"?><D:error xmlns:D=\"DAV:\"><D:valid-sync-token/></D:error>",
            method: "REPORT", times: times)
    }
}
