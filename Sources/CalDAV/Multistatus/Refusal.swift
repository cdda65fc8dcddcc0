internal import CCurl
internal import Platform

/// A status that is not a success, with its reason.
struct Refusal {
    private static let secondsLimit = 86_400

    let url: DAVURL
    let status: Int
    let precondition: Precondition
    /// The time to wait before the next request.
    let retryAfter: Int?

    /// A refusal as the answer to a request.
    init(_ response: HTTPResponse) {
        url = response.url
        status = response.status
        precondition = Self.precondition(response)
        retryAfter = response.header("Retry-After").flatMap(Self.seconds)
    }

    /// A refusal in a row of a multistatus document. The row of a refusal does not always have the right URL.
    init(_ row: MultistatusRow, status: Int, of url: DAVURL) {
        self.url = url
        self.status = status
        precondition = row.precondition
        retryAfter = nil
    }

    var error: CalDAVError {
        switch precondition.element {
        case "no-uid-conflict":
            return .uidConflict(url, existing: precondition.href.flatMap { url.resolvingWithinServer($0) })
        case "max-resource-size": return .itemTooLarge(url)
        case "quota-not-exceeded", "sufficient-disk-space": return .quotaExceeded(url)
        case "valid-sync-token": return .tokenExpired(url)
        default: break
        }
        switch status {
        case 401: return .unauthorized(url)
        case 403: return forbidden
        case 404, 410: return .notFound(url)
        case 400 where saysThatUIDExists: return .uidConflict(url, existing: nil)
        case 412 where precondition.element == nil || isAboutVersion: return .preconditionFailed(url)
        case 413: return .itemTooLarge(url)
        case 429: return .throttled(url, seconds: retryAfter)
        case 507: return .quotaExceeded(url)
        case 408, 423, 425, 500, 502, 503, 504:
            return .server(url, status: status, retryAfter: retryAfter)
        default:
            return .refused(url, status: status, element: precondition.element, text: precondition.text)
        }
    }

    /// A precondition of CalDAV is about the text of the item. All others are about the permissions.
    private var forbidden: CalDAVError {
        guard let element = precondition.element, element != "need-privileges" else {
            return .forbidden(url, precondition: precondition.element)
        }
        return .refused(url, status: status, element: element, text: precondition.text)
    }

    /// Whether the condition of the request was not met. DAViCal names its header in an element.
    private var isAboutVersion: Bool { ["if-match", "if-none-match"].contains(precondition.element) }

    /// Nextcloud finds the UID of a deleted item in its trash, and gives no element:
    /// https://github.com/nextcloud/server/issues/30096
    private var saysThatUIDExists: Bool {
        precondition.text?.lowercased().contains("uid already exists") ?? false
    }

    private static func precondition(_ response: HTTPResponse) -> Precondition {
        var precondition = Precondition()
        let type = response.header("Content-Type")?.lowercased() ?? ""
        if type.contains("html") || response.body.isEmpty { return precondition }
        let root = try? XMLDocumentReader.read(response.body) { precondition.add($0) }
        if root == nil, type.hasPrefix("text/plain") {
            precondition.text = Precondition.shortened(
                String(decoding: response.body.prefix(4_096), as: UTF8.self))
        }
        return precondition
    }

    /// Returns the seconds in a `Retry-After` header, which is a number or a date.
    private static func seconds(_ header: String) -> Int? {
        if let seconds = Int(header) { return min(max(seconds, 0), secondsLimit) }
        let moment = curl_getdate(header, nil)
        guard moment >= 0 else { return nil }
        return min(max(Int(moment) - Int(SystemClock.secondsSince1970), 0), secondsLimit)
    }
}
