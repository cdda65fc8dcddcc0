internal import CCurl

/// A client for HTTP requests, which runs one request at a time and keeps its connections for the next one.
///
/// Every request blocks. A client belongs to one thread or one serial queue at a time. Redirects are answers like others.
package final class HTTPClient {
    private let options: HTTPOptions

    /// The number of requests that were made, including those that failed.
    package private(set) var requestCount = 0
    /// The number of bytes of all answers, as they came over the network.
    package private(set) var receivedBytes: Int64 = 0
    /// The number of bytes of all requests.
    package private(set) var sentBytes: Int64 = 0

    package init(_ options: HTTPOptions) {
        self.options = options
    }

    /// Sends a request and returns the complete answer, of any status.
    ///
    /// If a kept connection turns out to be closed before any byte of an answer came, libcurl sends the request again.
    ///
    /// - Throws: `offline`, `answerLost`, `certificate`, `answerTooLarge` or `malformed`.
    package func send(_ request: HTTPRequest) throws(CalDAVError) -> HTTPResponse {
        throw .offline(request.url, reason: "not implemented")
    }
}
