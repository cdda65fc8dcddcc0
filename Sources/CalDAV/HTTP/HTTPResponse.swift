/// The complete answer to a request, of any status.
package struct HTTPResponse: Sendable {
    /// The URL of the request that was answered.
    package let url: DAVURL
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(url: DAVURL, status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.url, self.status, self.headers, self.body) = (url, status, headers, body)
    }

    /// Returns the value of the first header of that name in any case, or `nil` if there is none.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
