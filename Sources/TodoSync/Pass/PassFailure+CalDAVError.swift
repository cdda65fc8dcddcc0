internal import CalDAV

extension PassFailure {
    /// Returns the failure of the whole account that an error means, or `nil` if it concerns one list or one item.
    init?(ofAccount error: CalDAVError) {
        let kind: Kind
        switch error {
        case .offline: kind = .offline
        case .unauthorized: kind = .unauthorized
        case .certificate, .throttled: kind = .temporary
        case .server(_, let status, let seconds) where status == 503 || seconds != nil: kind = .temporary
        default: return nil
        }
        self.init(kind, "\(error)", retryAfterSeconds: error.retryAfterSeconds)
    }

    /// Whether the failure is stored with each list, so that the user sees it until it is over.
    var isStored: Bool { kind == .unauthorized || (kind == .temporary && retryAfterSeconds == nil) }
}

extension CalDAVError {
    /// Whether all etags have to be compared after this answer to a request for changes.
    var asksForComparison: Bool {
        switch self {
        case .tokenExpired, .forbidden, .refused, .notFound, .malformed, .answerTooLarge,
            .preconditionFailed:
            true
        // Some servers answer an unknown token so.
        case .server(_, let status, let seconds): status != 503 && seconds == nil
        default: false
        }
    }

    /// Whether the server would answer the next request for changes in the same way.
    var refusesChanges: Bool {
        switch self {
        case .forbidden, .refused, .notFound, .malformed: true
        default: false
        }
    }
}
