/// A request translated to an SQL statement.
struct TranslatedRequest {
    let text: String
    let bindings: [AttributeValue]
    /// The number of the translation, which identifies its compiled statement without comparing texts, or
    /// `nil` if the translation is not cached.
    let number: Int?
    /// The types of the result columns, for a request of rows.
    let types: [AttributeType]
}

/// A cache of requests translated into SELECT statements, by the shapes of the requests.
///
/// A later request of the same shape only binds its own values.
struct TranslationCache {
    static let capacity = 64

    private let model: ManagedObjectModel
    private let hasSearchTables: Bool
    private var translations = RecentlyUsed<RequestShape, Translation>(capacity: capacity)
    /// The translations of prepared fetches, by the numbers of the fetches.
    private var prepared = RecentlyUsed<Int, PreparedTranslation>(capacity: capacity)

    /// The number of translations cached so far, including those removed since.
    private var lastNumber = 0

    fileprivate struct Translation {
        let number: Int
        let text: String
        let sources: [SQLFragment.BindingSource]
        let types: [AttributeType]

        func request(_ arguments: [AttributeValue], _ request: StoreRequest) -> TranslatedRequest? {
            bindings(arguments, request).map {
                TranslatedRequest(text: text, bindings: $0, number: number, types: types)
            }
        }

        /// Returns the bindings for another request of the shape, or `nil` if that request needs its own
        /// translation.
        private func bindings(_ arguments: [AttributeValue], _ request: StoreRequest) -> [AttributeValue]? {
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

    init(model: ManagedObjectModel, hasSearchTables: Bool = true) {
        self.model = model
        self.hasSearchTables = hasSearchTables
    }

    /// The number of shapes in the cache.
    var count: Int { translations.count }

    mutating func statement(
        _ subject: SQLSelect.Subject, _ request: StoreRequest, having: FetchPredicate = .all
    ) throws -> TranslatedRequest {
        guard let shape = RequestShape(subject, request, having: having) else {
            let (sql, types) = try SQLSelect(request, model: model, hasSearchTables: hasSearchTables)
                .statement(subject, having: having)
            return TranslatedRequest(text: sql.text, bindings: sql.bindings, number: nil, types: types)
        }
        if let known = translations[shape]?.request(shape.arguments, request) { return known }
        var numbered = request
        var numbering = ArgumentNumbering()
        numbered.predicate = FetchPredicate(numbering.rewrite(request.predicate.root))
        let numberedHaving = FetchPredicate(numbering.rewrite(having.root))
        let (sql, types) = try SQLSelect(numbered, model: model, hasSearchTables: hasSearchTables).statement(
            subject, having: numberedHaving)
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

/// A rewriter that stores the number of each argument in its origin. The numbers follow the order of the arguments in a
/// `RequestShape`.
private struct ArgumentNumbering: PredicateRewriter {
    private(set) var arguments: [FetchPredicate.Constant] = []

    mutating func rewrite(_ constant: FetchPredicate.Constant) -> FetchPredicate.Expression {
        guard !constant.origin.isLiteral else { return .constant(constant) }
        var copy = constant
        copy.origin.argument = arguments.count
        arguments.append(constant)
        return .constant(copy)
    }
}

// MARK: - Prepared fetches

extension TranslationCache {
    /// Returns the statement of a prepared fetch.
    ///
    /// If the fetch has run before with values of the same types, the statement is found without examining
    /// the request.
    mutating func statement(
        _ fetch: PreparedFetch, _ values: [String: AttributeValue]
    ) throws -> TranslatedRequest {
        if let known = prepared[fetch.number]?.request(values, fetch.query.request) { return known }
        let query = fetch.query
        let subject = SQLSelect.Subject.rows(
            of: query.columns, groupedBy: query.groupedBy, isDistinct: query.isDistinct)
        var request = query.request
        request.predicate = request.predicate.bindingByName(values)
        let having = query.having.bindingByName(values)
        let translated = try statement(subject, request, having: having)
        if translated.number != nil, let shape = RequestShape(subject, request, having: having),
            let translation = translations[shape]
        {
            var numbering = ArgumentNumbering()
            _ = numbering.rewrite(request.predicate.root)
            _ = numbering.rewrite(having.root)
            let arguments = numbering.arguments.map(PreparedTranslation.Argument.init)
            prepared.insert(
                PreparedTranslation(translation: translation, arguments: arguments), for: fetch.number)
        }
        return translated
    }
}

/// The translation of a prepared fetch for values of certain types.
private struct PreparedTranslation {
    /// The source of an argument's value.
    enum Argument {
        case fixed(AttributeValue)
        case variable(String, ValueType)

        init(_ constant: FetchPredicate.Constant) {
            let value = constant.value.withoutNaN
            self = constant.origin.variable.map { .variable($0, ValueType(of: value)) } ?? .fixed(value)
        }
    }

    let translation: TranslationCache.Translation
    let arguments: [Argument]

    /// Returns the request with these values, or `nil` if their types differ, because other types may need
    /// another statement.
    func request(_ values: [String: AttributeValue], _ request: StoreRequest) -> TranslatedRequest? {
        var found: [AttributeValue] = []
        found.reserveCapacity(arguments.count)
        for argument in arguments {
            switch argument {
            case .fixed(let value): found.append(value)
            case .variable(let name, let type):
                guard let value = values[name]?.withoutNaN, ValueType(of: value) == type else { return nil }
                found.append(value)
            }
        }
        return translation.request(found, request)
    }
}
