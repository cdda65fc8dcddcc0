internal import CivilTime
internal import SQLiteDriver

/// The SQL functions that predicates need and SQLite does not have. No schema depends on them.
///
/// Each function calls the same code as the evaluation in memory, so both always agree.
enum SQLFunctions {
    static func define(on connection: SQLiteConnection) throws {
        try defineTexts(on: connection)
        try defineValues(on: connection)
        try defineAggregates(on: connection)
    }

    /// Returns the name of the SQL function for an operator on text: `name(text, pattern, options)`.
    static func name(of comparator: ResolvedCondition.TextOperator) -> String {
        switch comparator {
        case .beginsWith: "begins_with"
        case .contains: "contains"
        case .containsWords: "contains_words"
        case .endsWith: "ends_with"
        case .like: "is_like"
        case .matches: "matches"
        }
    }

    /// Returns the name of the SQL function for a predicate function. `modulus:by:` becomes `fn_modulus_by`.
    static func name(of function: FetchPredicate.Function) -> String {
        "fn_" + function.rawValue.split(separator: ":").joined(separator: "_").lowercased()
    }

    /// Returns the name of the aggregate for an operation on decimals. The aggregate of no values is NULL.
    static func decimalName(of operation: FetchPredicate.CollectionOperator) -> String {
        "decimal_\(operation.rawValue)"
    }

    // MARK: - Text

    private static func defineTexts(on connection: SQLiteConnection) throws {
        // folded(text, options): the text without the differences that the options ignore.
        try connection.defineFunction("folded", arguments: 2) { call in
            let folded = call.withText(0) { FoldedText(utf8: $0, options(call, 1)).bytes }
            guard let folded else { return call.returnNull() }
            folded.withUnsafeBufferPointer { call.return(text: $0) }
        }
        for comparator in ResolvedCondition.TextOperator.allCases {
            let failure = connection.functionFailure
            try connection.defineFunction(name(of: comparator), arguments: 3) { call in
                test(call, comparator: comparator, functionFailure: failure)
            }
        }
    }

    private static func options(
        _ call: SQLiteConnection.FunctionCall, _ index: Int
    ) -> StringOptions {
        StringOptions(rawValue: UInt8(truncatingIfNeeded: call.integer(index)))
    }

    private static func test(
        _ call: SQLiteConnection.FunctionCall, comparator: ResolvedCondition.TextOperator,
        functionFailure: SQLiteConnection.FunctionFailure
    ) {
        do {
            var failure: FetchPredicateError?
            let pattern = call.kept(with: 1) { () -> KeptPattern? in
                guard let pattern = call.text(1) else { return nil }
                do throws(FetchPredicateError) {
                    return KeptPattern(
                        try PreparedText(pattern, comparator: comparator, options: options(call, 2)))
                } catch {
                    failure = error
                    return nil
                }
            }
            if let failure { throw failure }
            let holds = try pattern.flatMap { pattern in
                try call.withText(0) { try pattern.text.accepts(utf8: $0) }
            }
            guard let holds else { return call.returnNull() }
            call.return(holds ? 1 : 0 as Int64)
        } catch {
            call.fail(error, functionFailure)
        }
    }

    private final class KeptPattern {
        let text: PreparedText

        init(_ text: PreparedText) {
            self.text = text
        }
    }

    // MARK: - Values

    private static func defineValues(on connection: SQLiteConnection) throws {
        for function in FetchPredicate.Function.allCases where function != .now {
            let count = function.operandCount
            try connection.defineFunction(name(of: function), arguments: Int32(count)) { call in
                let operands = (0..<count).map { value(call, $0) }
                give(operands.contains(.null) ? .null : function.value(of: operands), call)
            }
        }
        try connection.defineFunction("power", arguments: 2) { call in
            give(PredicateArithmetic.apply(.power, value(call, 0), value(call, 1)), call)
        }
        // list_elements(list, attribute type): the elements as JSON in which SQLite reads each of them exactly.
        try connection.defineFunction("list_elements", arguments: 2) { call in
            guard let text = call.text(0), let type = call.text(1).flatMap(AttributeType.init) else {
                return call.returnNull()
            }
            call.return(PackedValue.json(ListValue.elements(of: text, type) ?? []).text)
        }
        // cast_value(value, attribute type, cast type)
        try connection.defineFunction("cast_value", arguments: 3) { call in
            guard let from = call.text(1).flatMap(AttributeType.init),
                let to = call.text(2).flatMap(FetchPredicate.CastType.init)
            else { return call.returnNull() }
            give(value(call, 0).typed(from)?.cast(to: to) ?? .null, call)
        }
        // decimal_rank(text): bytes that sort in the order of the numbers.
        try connection.defineFunction("decimal_rank", arguments: 1) { call in
            guard let rank = call.withText(0, DecimalRank.init(utf8:)) ?? nil else {
                return call.returnNull()
            }
            call.return(rank.bytes)
        }
        // unpacked(text): a value that JSON cannot hold. See `PackedValue`.
        try connection.defineFunction("unpacked", arguments: 1) { call in
            give(call.text(0).flatMap(PackedValue.unpack) ?? .null, call)
        }
    }

    /// Returns an argument as a value of its SQLite type.
    private static func value(_ call: SQLiteConnection.FunctionCall, _ index: Int) -> AttributeValue {
        switch call.kind(index) {
        case .integer: .integer(call.integer(index))
        case .real: .double(call.real(index))
        case .text: .string(call.text(index) ?? "")
        case .blob: .binary(call.blob(index))
        case .null: .null
        }
    }

    private static func give(_ value: AttributeValue, _ call: SQLiteConnection.FunctionCall) {
        switch value {
        case .null: call.returnNull()
        case .boolean(let flag): call.return(flag ? 1 : 0 as Int64)
        case .integer(let number): call.return(number)
        case .double(let number): call.return(number)
        case .date(let moment): call.return(moment.secondsSince1970)
        case .string(let text), .decimal(let text), .uri(let text): call.return(text.normalized)
        case .uuid(let identifier): call.return(identifier.description)
        case .binary(let bytes): call.return(bytes)
        }
    }

    // MARK: - Aggregates

    private static func defineAggregates(on connection: SQLiteConnection) throws {
        for operation in [FetchPredicate.CollectionOperator.sum, .avg] {
            try connection.defineAggregate(
                "exact_\(operation.rawValue)", begin: { Group() },
                add: { group, call in group.accumulator.add(value(call, 0)) },
                result: { group, call in give(group.accumulator.result(of: operation), call) })
        }
        // integer_sum(integer): a sum that does not depend on the order of the rows.
        try connection.defineAggregate(
            "integer_sum", begin: { Group() },
            add: { group, call in group.accumulator.add(value(call, 0)) },
            result: { group, call in
                let sum = group.accumulator.result(of: .sum)
                if group.accumulator.result(of: .count) == .integer(0) { return call.returnNull() }
                if case .double = sum {
                    return call.fail("the sum does not fit in 64 bits; add up fewer values")
                }
                give(sum, call)
            })
        for operation in [FetchPredicate.CollectionOperator.sum, .avg, .min, .max] {
            try connection.defineAggregate(
                decimalName(of: operation), begin: { Group() },
                add: { group, call in group.accumulator.add(call.text(0).map { .decimal($0) } ?? .null) },
                result: { group, call in
                    let isEmpty = group.accumulator.result(of: .count) == .integer(0)
                    give(isEmpty ? .null : group.accumulator.result(of: operation), call)
                })
        }
    }

    private final class Group {
        // SQL handles DISTINCT itself.
        var accumulator = AggregateAccumulator(isDistinct: false)
    }
}

extension AttributeValue {
    /// Returns an SQL value as a value of an attribute type, or `nil` if it is not valid for that type.
    fileprivate func typed(_ type: AttributeType) -> AttributeValue? {
        switch (type, self) {
        case (_, .null): .null
        case (.boolean, .integer(let number)): .boolean(number != 0)
        case (.date, .double(let seconds)): .date(Timestamp(secondsSince1970: seconds))
        case (.date, .integer(let seconds)): .date(Timestamp(secondsSince1970: Double(seconds)))
        case (.decimal, .string(let text)): .decimal(text)
        case (.uuid, .string(let text)): UUIDValue(text).map { .uuid($0) }
        case (.uri, .string(let text)): .uri(text)
        default: self
        }
    }
}
