internal import CCurl

/// A transfer that failed, as libcurl reports it.
struct HTTPFailure {
    let code: CURLcode
    /// The explanation by libcurl.
    let text: String
    /// The result of OpenSSL's check of the certificate, or 0.
    let verifyResult: Int
    /// Whether at least a part of the request was sent.
    let isSent: Bool

    func error(_ url: DAVURL) -> CalDAVError {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: return .certificate(url, reason: certificateReason(url))
        case CURLE_SSL_CACERT_BADFILE:
            return .certificate(url, reason: "the file with the trusted authorities cannot be read: \(text)")
        case CURLE_SSL_CONNECT_ERROR:
            // A connection that ends early is no fault of the server's encryption.
            guard text.contains("SSL routines"), !text.contains("unexpected eof") else {
                return .offline(url, reason: text)
            }
            return .certificate(
                url, reason: "the connection cannot be encrypted: \(text); is it an http:// server?")
        case CURLE_COULDNT_RESOLVE_HOST:
            return .offline(url, reason: "the host name is unknown, or there is no network")
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY:
            return .offline(url, reason: text)
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return .malformed(url, reason: "the URL cannot be used: \(text)")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            return .malformed(url, reason: text)
        default: return isSent ? .answerLost(url, reason: text) : .offline(url, reason: text)
        }
    }

    private func certificateReason(_ url: DAVURL) -> String {
        switch verifyResult {
        case 9: "the certificate of the server is not valid yet; check the clock of this machine"
        case 10:
            "the certificate of the server has expired; "
                + "the provider has to renew it, unless the clock of this machine is wrong"
        case 18, 19, 20, 21:
            "the certificate of the server is not signed by a trusted authority; "
                + "if it is your own authority, name its file in the configuration"
        default:
            text.contains("subject name") || text.contains("match")
                ? "the certificate of the server is not for the host \(url.host); check the URL"
                : text
        }
    }
}
