/// A request to a server.
package struct HTTPRequest: Sendable {
    package var method: String
    package var url: DAVURL
    package var headers: [(name: String, value: String)]
    package var body: String?
    /// The user and the password that are sent with the request. The caller decides whether the server may see them.
    package var credentials: Credentials?
    /// The longest time for the whole request, or `nil` for the limit of the client.
    package var secondsLimit: Int?
    /// The largest body of the answer, or `nil` for the limit of the client.
    package var bodyBytesLimit: Int?

    /// Whether the request changes nothing on the server, so that it can be sent twice.
    var isRepeatable: Bool { ["GET", "PROPFIND", "REPORT"].contains(method) }

    package init(
        _ method: String, _ url: DAVURL, headers: [(name: String, value: String)] = [], body: String? = nil,
        credentials: Credentials? = nil, secondsLimit: Int? = nil, bodyBytesLimit: Int? = nil
    ) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
        (self.credentials, self.secondsLimit, self.bodyBytesLimit) = (
            credentials, secondsLimit, bodyBytesLimit
        )
    }
}
