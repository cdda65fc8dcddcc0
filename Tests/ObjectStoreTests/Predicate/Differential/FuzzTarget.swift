import ObjectStore

/// The checks that the fuzzers of `Tests/Fuzz` run on an input, and that the tests run on every input of the
/// corpora. No input may trap. A failed check throws.
enum FuzzTarget {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Checks that a format is an error with an offset, or a predicate that prints as itself.
    static func parser(_ bytes: [UInt8]) throws {
        let format = String(decoding: bytes, as: UTF8.self)
        let arguments: [any PredicateArgument] = ["title", 1, 1.5, [1, 2]]
        let predicate: FetchPredicate
        do throws(FetchPredicateError) {
            predicate = try FetchPredicate(
                format: format, arguments: Array(arguments.prefix(format.count { $0 == "%" })))
        } catch {
            guard let offset = error.offset, (0...format.utf8.count).contains(offset) else {
                throw Failure(description: "an error without a place: \(error)")
            }
            return
        }
        let printed = predicate.format
        // A fraction of a second before 1970 is not read back to the last bit.
        guard !printed.contains("1969-12-31T23:59:59.") else { return }
        guard try FetchPredicate(printed) == predicate else {
            throw Failure(description: "\(format) prints as \(printed), which is another predicate")
        }
        let model = try library.get()
        for entity in model.entities { try? predicate.check(against: entity, in: model) }
    }

    /// Checks that the executions agree, for a model, its objects and a predicate that the bytes determine.
    static func executions(_ bytes: [UInt8]) throws {
        var source = ChoiceSource(bytes: bytes)
        let store = try DifferentialStore(&source)
        var generator = PredicateGenerator(model: store.model, source: source)
        for _ in 0..<8 {
            let entity = generator.source.pick(store.model.entities)
            let predicate = generator.predicate(of: entity)
            guard (try? predicate.check(against: entity, in: store.model)) != nil else { continue }
            let outcome = try store.outcome(predicate, of: entity)
            guard outcome.agrees else {
                throw Failure(description: "\(entity.name): \(predicate)\n\(outcome)\n\(store.dump())")
            }
        }
    }

    private static let library = Result { try Library.model() }
}
