/// A request as a statement.
struct TranslatedRequest {
    let text: String
    let bindings: [AttributeValue]
    /// The same for the same text, so that its compiled statement is found without a look at the text; nil when
    /// the translation is not remembered.
    let number: Int?
    /// The types of the values, for a request of rows.
    let types: [AttributeType]
}

/// Turns requests into SELECTs, and remembers them by the shapes of the requests: another request of the same
/// shape only binds its own values.
struct TranslationCache {
    static let capacity = 64

    private let model: ManagedObjectModel
    private var translations = RecentlyUsed<RequestShape, Translation>(capacity: capacity)

    /// How many translations were remembered ever.
    private var lastNumber = 0

    private struct Translation {
        let number: Int
        let text: String
        let sources: [SQLFragment.BindingSource]
        let types: [AttributeType]

        /// The values for another request of the shape; nil when it needs a translation of its own.
        func bindings(_ arguments: [AttributeValue], _ request: StoreRequest) -> [AttributeValue]? {
            var bindings: [AttributeValue] = []
            bindings.reserveCapacity(sources.count)
            for source in sources {
                switch source {
                case .constant(let value): bindings.append(value)
                case .argument(let use):
                    guard let value = use.value(arguments) else { return nil }
                    bindings.append(value)
                case .limit: bindings.append(.integer(Int64(request.limit ?? 0)))
                case .offset: bindings.append(.integer(Int64(request.offset)))
                }
            }
            return bindings
        }
    }

    init(model: ManagedObjectModel) {
        self.model = model
    }

    /// How many shapes are remembered.
    var count: Int { translations.count }

    mutating func statement(
        _ subject: SQLSelect.Subject, _ request: StoreRequest
    ) throws -> TranslatedRequest {
        guard let shape = RequestShape(subject, request) else {
            let (sql, types) = try SQLSelect(request, model: model).statement(subject)
            return TranslatedRequest(text: sql.text, bindings: sql.bindings, number: nil, types: types)
        }
        if let known = translations[shape], let bindings = known.bindings(shape.arguments, request) {
            return TranslatedRequest(
                text: known.text, bindings: bindings, number: known.number, types: known.types)
        }
        var numbered = request
        numbered.predicate = request.predicate.withNumberedArguments
        let (sql, types) = try SQLSelect(numbered, model: model).statement(subject)
        guard sql.servesItsShape else {
            return TranslatedRequest(text: sql.text, bindings: sql.bindings, number: nil, types: types)
        }
        lastNumber += 1
        translations.insert(
            Translation(
                number: lastNumber, text: sql.text, sources: sql.sources.compactMap { $0 }, types: types),
            for: shape.withoutArguments)
        return TranslatedRequest(text: sql.text, bindings: sql.bindings, number: lastNumber, types: types)
    }
}

extension FetchPredicate {
    /// The same predicate, with the number of each argument in its origin, in the order in which a
    /// `RequestShape` has them.
    fileprivate var withNumberedArguments: FetchPredicate {
        var numbering = ArgumentNumbering()
        return FetchPredicate(numbering.rewrite(root))
    }
}

private struct ArgumentNumbering: PredicateRewriter {
    private var count = 0

    mutating func rewrite(_ constant: FetchPredicate.Constant) -> FetchPredicate.Expression {
        guard !constant.origin.isLiteral else { return .constant(constant) }
        var copy = constant
        copy.origin.argument = count
        count += 1
        return .constant(copy)
    }
}
