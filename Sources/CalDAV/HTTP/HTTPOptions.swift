/// The limits and settings of an `HTTPClient`.
package struct HTTPOptions: Sendable {
    /// The value of the `User-Agent` header, such as `todod/0.1.0`.
    package var userAgent: String
    /// The file with the certificates of the trusted authorities, or `nil` for those of the system.
    package var caFile: String?
    /// The longest time to look up a host and connect to it.
    package var connectSeconds = 15
    /// The longest time without a byte in either direction. A server that computes a long answer is silent.
    package var lowSpeedSeconds = 120
    /// The longest time for a whole request, unless the request has its own limit.
    package var requestSeconds = 60
    /// The longest time for a request that reads a whole list.
    package var reportSeconds = 300
    /// The largest body of an answer, unless the request has its own limit.
    package var bodyBytesLimit = 32 << 20
    /// The largest answer that lists all items of a list without their texts, as many as a list may have.
    package var listingBytesLimit = 128 << 20
    /// The largest head of an answer.
    package var headBytesLimit = 64 << 10

    package init(userAgent: String, caFile: String? = nil) {
        (self.userAgent, self.caFile) = (userAgent, caFile)
    }
}
