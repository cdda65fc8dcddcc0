internal import CalDAV
internal import TodoAPI

/// The outcome of sending one change.
enum UploadOutcome {
    /// The server has the change, and this is its result.
    case stored(SyncUploadResult)
    /// The server has another version, which has to be merged first, or none if `item` is `nil`.
    case outdated(RemoteItem?)
    /// The change did not reach the server, or it is unknown whether it did. It can be sent again.
    case unsent
    /// The server failed, and does not have the change. The reason may be another request at the same time, or the change.
    case failed(reason: String)
    /// Another item has the UID, at `existing` if the server says so.
    case uidConflict(existing: DAVURL?)
    /// The server does not accept the change.
    ///
    /// `concernsList` is true if it would not accept other changes of the list either.
    case refused(reason: String, concernsList: Bool)
}

/// Sends single changes to a server. Every change is conditional.
struct UploadAttempt {
    let server: any TaskServer

    /// Sends a change, and finds out what the server has afterwards.
    ///
    /// - Throws: an error if that is not known, or if the account or the list cannot be used.
    func send(_ upload: SyncUpload) throws(CalDAVError) -> UploadOutcome {
        guard let url = DAVURL(upload.url) else {
            return .refused(reason: "'\(upload.url)' is not a URL", concernsList: false)
        }
        if let text = upload.text { return try put(text, at: url, upload) }
        return try delete(url, upload)
    }

    private func put(_ text: String, at url: DAVURL, _ upload: SyncUpload) throws(CalDAVError)
        -> UploadOutcome
    {
        do throws(CalDAVError) {
            _ = try server.put(text, at: url, ifMatch: upload.etag)
        } catch {
            return try outcome(after: error, at: url, upload)
        }
        // Servers rewrite texts, even if they return an etag. The base of the next merge is the text that they have.
        guard let stored = try server.text(at: url), let storedText = stored.text else {
            return .outdated(nil)
        }
        if Self.isVersion(stored.etag, sameAs: upload.etag), upload.etag != nil, storedText != text {
            return .refused(
                reason: "the server accepted the change and still has the former version", concernsList: false
            )
        }
        return .stored(Self.result(upload, sent: text, stored: storedText, stored.etag))
    }

    private static func result(
        _ upload: SyncUpload, sent: String, stored: String, _ etag: String?
    ) -> SyncUploadResult {
        var result = SyncUploadResult()
        result.url = upload.url
        result.state = upload.state
        result.sentText = sent
        result.text = stored
        result.etag = etag
        return result
    }

    private func delete(_ url: DAVURL, _ upload: SyncUpload) throws(CalDAVError) -> UploadOutcome {
        // An item of an unknown version is read first, because its deletion would not be conditional.
        guard let etag = upload.etag else {
            let present = try server.text(at: url)
            return present == nil ? .stored(Self.deletion(upload)) : .outdated(present)
        }
        do throws(CalDAVError) {
            // A server that finds nothing may be another one. A comparison shows whether the item is gone.
            return try server.delete(url, ifMatch: etag) ? .stored(Self.deletion(upload)) : .outdated(nil)
        } catch {
            return try outcome(after: error, at: url, upload)
        }
    }

    /// Decides what an error means, and reads what the server has if the request may have been carried out.
    private func outcome(
        after error: CalDAVError, at url: DAVURL, _ upload: SyncUpload
    ) throws(CalDAVError) -> UploadOutcome {
        switch error {
        case .preconditionFailed, .answerLost, .malformed, .answerTooLarge: break
        case .server(_, let status, let seconds) where status != 503 && seconds == nil: break
        case .uidConflict(_, let existing): return .uidConflict(existing: existing)
        case .notFound where upload.text == nil: return .outdated(nil)
        case .quotaExceeded: return .refused(reason: "\(error)", concernsList: true)
        case .forbidden(_, let precondition):
            return .refused(reason: "\(error)", concernsList: precondition == "need-privileges")
        case .refused, .itemTooLarge, .notFound, .tokenExpired:
            return .refused(reason: "\(error)", concernsList: false)
        default: throw error
        }
        let present = try server.text(at: url)
        if upload.text == nil, present == nil { return .stored(Self.deletion(upload)) }
        let isUnchanged = Self.isVersion(present?.etag, sameAs: upload.etag)
        // A lock (423) is that of another request, and ends with it.
        if case .server(_, let status, _) = error, status != 423, isUnchanged {
            return .failed(reason: "\(error)")
        }
        if case .preconditionFailed = error { return .outdated(present) }
        if isUnchanged { return .unsent }
        guard let sent = upload.text, let present, let text = present.text else { return .outdated(present) }
        var result = Self.result(upload, sent: sent, stored: text, present.etag)
        result.answerLost = true
        return .stored(result)
    }

    /// Whether both are the same version, or both are missing.
    private static func isVersion(_ first: String?, sameAs second: String?) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        return EntityTag.isSameVersion(first, as: second)
    }

    private static func deletion(_ upload: SyncUpload) -> SyncUploadResult {
        var result = SyncUploadResult()
        result.url = upload.url
        result.state = upload.state
        return result
    }
}
