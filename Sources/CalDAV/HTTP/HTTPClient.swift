internal import CCurl

/// A client for HTTP requests, which runs one request at a time and keeps its connections for the next one.
///
/// Every request blocks. A client belongs to one thread or one serial queue at a time. Redirects are answers like
/// others.
package final class HTTPClient {
    private static let isStarted = todod_curl_start() != 0

    let options: HTTPOptions
    /// The connections of the client, or `nil` if there was not enough memory.
    private let handle: UnsafeMutableRawPointer?
    /// The place where libcurl writes the reason of a failure.
    private let reason: UnsafeMutablePointer<CChar>

    /// The number of requests that were made, including those that failed.
    package private(set) var requestCount = 0
    /// The number of connections that were opened for them.
    package private(set) var connectionCount = 0
    /// The number of bytes of all answers, as they came over the network.
    package private(set) var receivedBytes: Int64 = 0
    /// The number of bytes of all requests.
    package private(set) var sentBytes: Int64 = 0

    package init(_ options: HTTPOptions) {
        self.options = options
        handle = Self.isStarted ? curl_easy_init() : nil
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        if let handle { curl_easy_cleanup(handle) }
        reason.deallocate()
    }

    /// Sends a request and returns the complete answer, of any status.
    ///
    /// If a kept connection ends before any byte of an answer came, libcurl sends the request again, unless its body was sent and
    /// would change something on the server.
    ///
    /// - Throws: `offline`, `answerLost`, `certificate`, `answerTooLarge` or `malformed`.
    package func send(_ request: HTTPRequest) throws(CalDAVError) -> HTTPResponse {
        guard let handle else { throw .offline(request.url, reason: "libcurl cannot start") }
        requestCount += 1
        let answer = HTTPAnswer(
            headLimit: options.headBytesLimit, bodyLimit: request.bodyBytesLimit ?? options.bodyBytesLimit)
        let headers = try headerList(request)
        defer { curl_slist_free_all(headers) }
        // Options are forgotten, connections and names of hosts are kept.
        curl_easy_reset(handle)
        todod_curl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        setConnectionOptions(handle, request.url)
        setRequest(handle, request)
        let body = setBody(handle, request)

        let code = withExtendedLifetime((answer, body)) {
            todod_curl_set_receivers(
                handle, HTTPAnswer.receiveHead, HTTPAnswer.receiveBody,
                Unmanaged.passUnretained(answer).toOpaque())
            return curl_easy_perform(handle)
        }
        count(handle)
        if let limit = answer.exceededLimit { throw .answerTooLarge(request.url, limit: limit) }
        guard code == CURLE_OK else { throw failure(code, handle, request.url) }
        let status = todod_curl_get_long(handle, CURLINFO_RESPONSE_CODE)
        return HTTPResponse(url: request.url, status: status, headers: answer.headers, body: answer.body)
    }

    // MARK: - Options

    private func setConnectionOptions(_ handle: UnsafeMutableRawPointer, _ url: DAVURL) {
        reason[0] = 0
        todod_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, reason)
        todod_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        todod_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        todod_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        todod_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        todod_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
        todod_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "gzip")
        todod_curl_set_text(handle, CURLOPT_USERAGENT, options.userAgent)
        todod_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, options.connectSeconds * 1_000)
        todod_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        todod_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, options.lowSpeedSeconds)
        if let file = options.caFile {
            todod_curl_set_text(handle, CURLOPT_CAINFO, file)
            // Otherwise, the authorities of the system are trusted as well.
            todod_curl_set_pointer(handle, CURLOPT_CAPATH, nil)
        }
        // A proxy would see a password for this machine.
        if url.isLoopback { todod_curl_set_text(handle, CURLOPT_PROXY, "") }
    }

    private func setRequest(_ handle: UnsafeMutableRawPointer, _ request: HTTPRequest) {
        todod_curl_set_text(handle, CURLOPT_URL, request.url.description)
        let seconds = request.secondsLimit ?? options.requestSeconds
        todod_curl_set_long(handle, CURLOPT_TIMEOUT_MS, seconds * 1_000)
        if let credentials = request.credentials {
            todod_curl_set_long(handle, CURLOPT_HTTPAUTH, 1 /* CURLAUTH_BASIC */)
            todod_curl_set_text(handle, CURLOPT_USERNAME, credentials.user)
            todod_curl_set_text(handle, CURLOPT_PASSWORD, credentials.password)
        }
    }

    /// Sets the method and the body. The result must exist until the request has been sent.
    private func setBody(_ handle: UnsafeMutableRawPointer, _ request: HTTPRequest) -> HTTPBody? {
        defer { todod_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method) }
        guard var text = request.body else { return nil }
        if request.isRepeatable {
            _ = text.withUTF8 { todod_curl_set_body(handle, $0.baseAddress, Int64($0.count)) }
            return nil
        }
        let body = HTTPBody(text)
        todod_curl_set_sender(
            handle, HTTPBody.send, Unmanaged.passUnretained(body).toOpaque(), Int64(body.count))
        return body
    }

    private func headerList(_ request: HTTPRequest) throws(CalDAVError) -> UnsafeMutablePointer<curl_slist>? {
        // Without this, libcurl waits for the server's permission before it sends a large body.
        var list = curl_slist_append(nil, "Expect:")
        for header in request.headers {
            guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                curl_slist_free_all(list)
                throw .malformed(request.url, reason: "a value for \(header.name) has a control character")
            }
            list = curl_slist_append(list, "\(header.name): \(header.value)")
        }
        return list
    }

    // MARK: - Results

    private func count(_ handle: UnsafeMutableRawPointer) {
        connectionCount += todod_curl_get_long(handle, CURLINFO_NUM_CONNECTS)
        receivedBytes +=
            Int64(todod_curl_get_long(handle, CURLINFO_HEADER_SIZE))
            + todod_curl_get_size(handle, CURLINFO_SIZE_DOWNLOAD_T)
        sentBytes +=
            Int64(todod_curl_get_long(handle, CURLINFO_REQUEST_SIZE))
            + todod_curl_get_size(handle, CURLINFO_SIZE_UPLOAD_T)
    }

    private func failure(_ code: CURLcode, _ handle: UnsafeMutableRawPointer, _ url: DAVURL) -> CalDAVError {
        let text = reason[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: reason)
        return HTTPFailure(
            code: code, text: text, verifyResult: todod_curl_get_long(handle, CURLINFO_SSL_VERIFYRESULT),
            isSent: todod_curl_get_long(handle, CURLINFO_REQUEST_SIZE) > 0
        ).error(url)
    }
}
