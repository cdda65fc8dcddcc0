internal import ObjectStore
internal import TodoAPI

/// The reply to a client for an error, and whether the error is a fault.
struct ErrorReply {
    let error: APIError
    /// Whether the error is logged, because it is not a mistake of the client.
    let isFault: Bool

    init(_ cause: any Error) {
        switch cause {
        case let error as APIError:
            self.init(error, isFault: false)
        case let error as FieldError:
            self.init(.invalidParameter(field: error.field, reason: error.reason), isFault: false)
        case let error as FetchPredicateError:
            self.init(
                .invalidPredicate(
                    reason: "\(error)", offset: error.offset.map { Int64($0) }, found: error.found,
                    expected: error.expected), isFault: false)
        case let error as ValidationError:
            let field = error.failures.first?.property ?? ""
            self.init(.invalidValue(field: field, reason: error.description), isFault: false)
        default:
            self.init(.storeFailure(reason: "\(cause)"), isFault: true)
        }
    }

    private init(_ error: APIError, isFault: Bool) {
        self.error = error
        self.isFault = isFault
    }
}
