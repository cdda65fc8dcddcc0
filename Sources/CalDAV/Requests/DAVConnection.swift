/// The requests of one call: it adds the password, follows redirects, and turns refusals into errors.
struct DAVConnection {
    private static let redirectsLimit = 5
    /// The largest answer to a request about one resource, or about the lists of a home.
    static let smallBodyLimit = 8 << 20

    let http: HTTPClient
    let credentials: Credentials?
    var trusted: TrustedServers

    /// Sends a request and returns the answer, of any status but 401.
    ///
    /// A redirect is followed to a trusted server, never from `https` to `http`. The method and the body stay the same.
    func send(_ request: HTTPRequest) throws(CalDAVError) -> HTTPResponse {
        var request = request
        request.credentials = credentials
        for _ in 0...Self.redirectsLimit {
            let response = try http.send(request)
            if response.status == 401 { throw .unauthorized(request.url) }
            guard [301, 302, 303, 307, 308].contains(response.status) else { return response }
            request.url = try target(of: response)
        }
        throw .malformed(request.url, reason: "more than \(Self.redirectsLimit) redirects")
    }

    private func target(of response: HTTPResponse) throws(CalDAVError) -> DAVURL {
        let url = response.url
        guard let location = response.header("Location"), var target = url.resolving(location) else {
            throw .malformed(url, reason: "a redirect has no valid Location")
        }
        // A server does not know that the proxy before it encrypts.
        if url.isEncrypted, !target.isEncrypted, target.host == url.host {
            target = url.replacing(path: target.path, query: target.query)
        }
        try requireTrust(in: target, namedBy: url)
        return target
    }

    /// Throws `redirectedElsewhere` unless the password may be sent to a URL that a server names.
    func requireTrust(in url: DAVURL, namedBy source: DAVURL) throws(CalDAVError) {
        guard trusted.include(url), url.isEncrypted || !source.isEncrypted else {
            throw .redirectedElsewhere(source, target: url)
        }
    }

    /// Sends a PROPFIND request and returns the rows of the answer and the URL that gave it.
    func propfind(
        _ url: DAVURL, depth: Int, _ properties: [String], bodyBytesLimit: Int? = smallBodyLimit
    ) throws(CalDAVError) -> (rows: [MultistatusRow], url: DAVURL) {
        var rows: [MultistatusRow] = []
        let answer = try propfind(url, depth: depth, properties, bodyBytesLimit: bodyBytesLimit) {
            rows.append($0)
        }
        return (rows, answer)
    }

    /// Sends a PROPFIND request, delivers the rows of the answer, and returns the URL that gave it.
    func propfind(
        _ url: DAVURL, depth: Int, _ properties: [String], bodyBytesLimit: Int?, secondsLimit: Int? = nil,
        _ receive: @escaping (MultistatusRow) throws(XMLDocumentReader.Failure) -> Void
    ) throws(CalDAVError) -> DAVURL {
        let response = try send(
            HTTPRequest(
                "PROPFIND", url, headers: Self.xmlHeaders + [("Depth", "\(depth)")],
                body: XMLBody.propfind(properties), secondsLimit: secondsLimit, bodyBytesLimit: bodyBytesLimit
            ))
        guard response.status == 207 else { throw Self.propfindError(response) }
        _ = try Multistatus.read(response, receive)
        return response.url
    }

    /// Sends a REPORT request and returns the answer, which has the status 207.
    func report(
        _ url: DAVURL, depth: Int, _ body: String, secondsLimit: Int, bodyBytesLimit: Int? = nil
    ) throws(CalDAVError) -> HTTPResponse {
        let response = try send(
            HTTPRequest(
                "REPORT", url, headers: Self.xmlHeaders + [("Depth", "\(depth)")], body: body,
                secondsLimit: secondsLimit, bodyBytesLimit: bodyBytesLimit))
        guard response.status == 207 else { throw Refusal(response).error }
        return response
    }

    static let xmlHeaders = [(name: "Content-Type", value: "application/xml; charset=utf-8")]

    private static func propfindError(_ response: HTTPResponse) -> CalDAVError {
        switch response.status {
        case 200...299:
            let type = response.header("Content-Type")?.lowercased() ?? ""
            let isPage = type.contains("html")
            return .notCalDAV(
                response.url,
                reason: isPage ? "it answers with a web page" : "it answers with status \(response.status)")
        case 400, 405, 415, 501:
            return .notCalDAV(
                response.url, reason: "it refuses the method PROPFIND with status \(response.status)")
        default: return Refusal(response).error
        }
    }
}
