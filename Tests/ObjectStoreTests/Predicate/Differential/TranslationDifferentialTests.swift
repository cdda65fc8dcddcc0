import Testing

@testable import ObjectStore

/// A cached translation equals a new one.
@Suite struct TranslationDifferentialTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func cachedTranslationEqualsNewTranslation(seed: UInt64) throws {
        var source = ChoiceSource(seed: seed)
        let model = try ManagedObjectModel(entities: GeneratedModel.entities(&source))
        var generator = PredicateGenerator(model: model, source: source)
        var shared = 0
        for _ in 0..<60 {
            let entity = generator.source.pick(model.entities)
            let predicate = generator.predicate(of: entity)
            var cache = TranslationCache(model: model)
            _ = try? cache.statement(.ids, StoreRequest(entity: entity, predicate: predicate))
            for _ in 0..<4 {
                var exchange = ArgumentExchange(source: generator.source)
                let other = FetchPredicate(exchange.rewrite(predicate.root))
                generator.source = exchange.source
                let request = StoreRequest(entity: entity, predicate: other)
                let before = cache.count
                let made = Self.statement {
                    let statement = try cache.statement(.ids, request)
                    return (statement.text, statement.bindings)
                }
                shared += before == 1 && cache.count == 1 ? 1 : 0
                let fresh = Self.statement {
                    let statement = try SQLSelect(request, model: model).ids()
                    return (statement.text, statement.bindings)
                }
                #expect(made == fresh, "seed \(seed), \(entity.name): \(predicate), then \(other)")
            }
        }
        #expect(shared > 60, "\(shared)")
    }

    /// The statement and its bindings, or the error.
    private static func statement(_ make: () throws -> (text: String, bindings: [AttributeValue])) -> [String]
    {
        do {
            let statement = try make()
            return [statement.text] + statement.bindings.map { "\($0)" }
        } catch {
            return ["\(error)"]
        }
    }
}

/// Replaces the arguments of a predicate, most of them by others of the same type.
private struct ArgumentExchange: PredicateRewriter {
    var source: ChoiceSource

    mutating func rewrite(_ constant: FetchPredicate.Constant) -> FetchPredicate.Expression {
        guard !constant.origin.isLiteral, source.chance(2, in: 3) else { return .constant(constant) }
        if source.chance(1, in: 12) { return .null }
        return .value(GeneratedValues.value(Self.type(of: constant.value), &source))
    }

    private static func type(of value: AttributeValue) -> AttributeType {
        switch value {
        case .null, .string: .string
        case .boolean: .boolean
        case .integer: .integer64
        case .double: .double
        case .decimal: .decimal
        case .date: .date
        case .binary: .binary
        case .uuid: .uuid
        case .uri: .uri
        }
    }
}
