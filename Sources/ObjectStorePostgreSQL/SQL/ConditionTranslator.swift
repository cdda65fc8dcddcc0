internal import ObjectStore
internal import PostgreSQLDriver

/// A translator of predicates into SQL conditions that are true for at least the same objects.
///
///     completed == NO AND dueDate <= $now     t0."completed" = $1 AND t0."dueDate" <= $2
///     category.name == nil                    t1."name" IS NULL
///     NOT (dueDate < %@)                      (t0."dueDate" < $1) IS NOT TRUE
///     name BEGINSWITH "pay"                   t0."name" >= $1 AND t0."name" < $2
///     pages > 3 AND title MATCHES %@          t0."pages" > $1, not exact
///
/// A part without an equal meaning in SQL is omitted, and the rows are then tested in memory. So an AND keeps its other parts,
/// an OR needs all of its parts, and the operand of a NOT has to be exact.
struct ConditionTranslator {
    /// A condition in SQL.
    struct Condition {
        let sql: String
        /// Whether the condition is true for the same objects as the predicate, and not for more.
        let isExact: Bool

        static let all = Condition(sql: "TRUE", isExact: true)
        static let never = Condition(sql: "FALSE", isExact: true)
        /// The condition for a predicate that cannot be translated.
        static let unknown = Condition(sql: "TRUE", isExact: false)
    }

    private(set) var bindings = StatementBindings()
    /// The tables of the objects in scope, by the numbers of their frames.
    private var frames: [Int: TableScope]

    init(_ scope: TableScope) {
        frames = [0: scope]
    }

    /// Translates a predicate, or returns `Condition.unknown`.
    mutating func condition(of predicate: ResolvedPredicate) throws -> Condition {
        try attempt { try $0.condition(predicate.condition) } ?? .unknown
    }

    /// Binds a value that is not part of the predicate.
    mutating func bind(_ number: Int) throws -> String {
        guard let parameter = try bindings.bind(.integer(Int64(number)), as: .integer) else {
            // Every column of integers stores this value.
            preconditionFailure("an integer was not bound")
        }
        return parameter
    }

    /// Runs a translation. If it fails, its parameters are removed.
    private mutating func attempt<Result>(
        _ translate: (inout Self) throws -> Result?
    ) throws -> Result? {
        let before = bindings
        if let result = try translate(&self) { return result }
        bindings = before
        return nil
    }

    // MARK: - Conditions

    private mutating func condition(_ condition: ResolvedCondition) throws -> Condition? {
        switch condition {
        case .constant(let holds): return holds ? .all : .never
        case .and(let conditions): return try conjunction(conditions)
        case .or(let conditions): return try disjunction(conditions)
        case .not(let operand):
            guard let operand = try self.condition(operand), operand.isExact else { return nil }
            return Condition(sql: "(\(operand.sql)) IS NOT TRUE", isExact: true)
        case .isNull(let value):
            guard let operand = try operand(value), let sql = operand.sql else { return nil }
            return Condition(sql: "\(sql) IS NULL", isExact: true)
        case .compare(let left, let relation, let right, let options):
            guard let left = try operand(left), let right = try operand(right) else { return nil }
            return try comparison(left, relation, to: right, options)
        case .between(let value, let low, let high, let options):
            return try conjunction([
                .compare(value, .greaterOrEqual, low, options), .compare(value, .lessOrEqual, high, options),
            ])
        case .member(let value, let members, let options):
            return try membership(of: value, in: members, options)
        case .text(let value, let test):
            guard let operand = try operand(value) else { return nil }
            return try text(operand, test)
        case .exists(let collection, let condition):
            guard let selection = try subselect(collection, where: condition, selecting: "") else {
                return nil
            }
            return Condition(sql: "EXISTS (\(selection.sql))", isExact: selection.isExact)
        }
    }

    private mutating func conjunction(_ conditions: [ResolvedCondition]) throws -> Condition? {
        var parts: [String] = []
        var isExact = true
        for condition in conditions {
            guard let part = try attempt({ try $0.condition(condition) }) else {
                isExact = false
                continue
            }
            isExact = isExact && part.isExact
            parts.append("(\(part.sql))")
        }
        guard !parts.isEmpty || isExact else { return nil }
        return Condition(sql: parts.isEmpty ? "TRUE" : parts.joined(separator: " AND "), isExact: isExact)
    }

    private mutating func disjunction(_ conditions: [ResolvedCondition]) throws -> Condition? {
        var parts: [String] = []
        var isExact = true
        for condition in conditions {
            guard let part = try self.condition(condition) else { return nil }
            isExact = isExact && part.isExact
            parts.append("(\(part.sql))")
        }
        return Condition(sql: parts.isEmpty ? "FALSE" : parts.joined(separator: " OR "), isExact: isExact)
    }

    // MARK: - Comparisons

    private mutating func comparison(
        _ left: Operand, _ relation: ResolvedCondition.Relation, to right: Operand, _ options: StringOptions
    ) throws -> Condition? {
        if let constant = right.constant {
            return left.constant == nil ? try comparison(left, relation, with: constant, options) : nil
        }
        if let constant = left.constant {
            return try comparison(right, relation.mirrored, with: constant, options)
        }
        guard left.type == right.type, let first = left.folded(options), let second = right.folded(options)
        else { return nil }
        guard relation == .equal else {
            return Condition(sql: "\(first) \(relation.sql) \(second)", isExact: true)
        }
        // Two nils are equal. IS NOT DISTINCT FROM means the same, but no index helps it.
        return Condition(
            sql: "(\(first) = \(second) OR (\(first) IS NULL AND \(second) IS NULL))", isExact: true)
    }

    /// Translates the comparison of a column with a constant that is not nil.
    private mutating func comparison(
        _ operand: Operand, _ relation: ResolvedCondition.Relation, with constant: AttributeValue,
        _ options: StringOptions
    ) throws -> Condition? {
        guard let sql = operand.folded(options) else { return nil }
        switch (operand.type, constant) {
        case (.integer, .double(let number)):
            return try comparison(ofInteger: operand, relation, with: number)
        case (.integer, .boolean(let flag)):
            return try comparison(operand, relation, with: .integer(flag ? 1 : 0), options)
        case (.boolean, .integer), (.boolean, .double):
            return try comparison(operand.asInteger, relation, with: constant, options)
        case (.double, .integer(let number)):
            // A rounded constant would equal other numbers.
            guard Int64(exactly: Double(number)) == number else { return nil }
            return try comparison(operand, relation, with: .double(Double(number)), options)
        case (.double, .boolean(let flag)):
            return try comparison(operand, relation, with: .double(flag ? 1 : 0), options)
        default:
            guard let bound = try bindings.bind(constant.folded(options), as: operand.type) else {
                return nil
            }
            return Condition(sql: "\(sql) \(relation.sql) \(bound)", isExact: true)
        }
    }

    /// Translates the comparison of a column of integers with a double, without rounding the integers.
    private mutating func comparison(
        ofInteger operand: Operand, _ relation: ResolvedCondition.Relation, with number: Double
    ) throws -> Condition? {
        guard let sql = operand.sql, !number.isNaN else { return nil }
        let isAny = Condition(sql: "\(sql) IS NOT NULL", isExact: true)
        let floor = number.rounded(.down)
        guard let whole = Int64(exactly: floor) else {
            let isGreater = floor > 0
            switch relation {
            case .equal: return Condition.never
            case .notEqual: return isAny
            case .less, .lessOrEqual: return isGreater ? isAny : Condition.never
            case .greater, .greaterOrEqual: return isGreater ? Condition.never : isAny
            }
        }
        if floor == number { return try comparison(operand, relation, with: .integer(whole), []) }
        switch relation {
        case .equal: return Condition.never
        case .notEqual: return isAny
        case .less, .lessOrEqual: return try comparison(operand, .lessOrEqual, with: .integer(whole), [])
        case .greater, .greaterOrEqual: return try comparison(operand, .greater, with: .integer(whole), [])
        }
    }

    // MARK: - Lists

    private mutating func membership(
        of value: ResolvedValue, in members: [ResolvedValue], _ options: StringOptions
    ) throws -> Condition? {
        guard let operand = try operand(value) else { return nil }
        var constants: [AttributeValue] = []
        var others: [Operand] = []
        for member in members {
            guard let member = try self.operand(member) else { return nil }
            if let constant = member.constant { constants.append(constant) } else { others.append(member) }
        }
        var parts: [String] = []
        for other in others {
            if let constant = operand.constant {
                guard let part = try comparison(other, .equal, with: constant, options) else { return nil }
                parts.append(part.sql)
            } else {
                // Nil is in no list, so two nils are not equal here.
                guard operand.type == other.type, let first = operand.folded(options),
                    let second = other.folded(options)
                else { return nil }
                parts.append("\(first) = \(second)")
            }
        }
        if !constants.isEmpty {
            guard operand.constant == nil else { return nil }
            guard let part = try membership(of: operand, in: constants, options) else { return nil }
            parts.append(part)
        }
        return Condition(sql: parts.isEmpty ? "FALSE" : parts.joined(separator: " OR "), isExact: true)
    }

    /// Translates a list of constants into one parameter of any length.
    private mutating func membership(
        of operand: Operand, in constants: [AttributeValue], _ options: StringOptions
    ) throws -> String? {
        let operand = operand.type == .boolean ? operand.asInteger : operand
        guard let sql = operand.folded(options) else { return nil }
        var values: [AttributeValue] = []
        for constant in constants {
            switch (operand.type, constant) {
            case (.integer, .boolean(let flag)): values.append(.integer(flag ? 1 : 0))
            case (.integer, .double(let number)):
                if let whole = Int64(exactly: number) { values.append(.integer(whole)) }
            case (.double, .integer(let number)):
                guard Int64(exactly: Double(number)) == number else { return nil }
                values.append(.double(Double(number)))
            case (.double, .boolean(let flag)): values.append(.double(flag ? 1 : 0))
            default: values.append(constant.folded(options))
            }
        }
        guard let bound = try bindings.bind(list: values, as: operand.type) else { return nil }
        return "\(sql) = ANY (\(bound))"
    }

    // MARK: - Texts

    private mutating func text(_ operand: Operand, _ test: TextTest) throws -> Condition? {
        guard let sql = operand.folded(test.options), operand.type == .text, let prepared = test.prepared
        else {
            return nil
        }
        switch prepared {
        case .part(let part, let comparator, _):
            let text = String(decoding: part.bytes, as: UTF8.self)
            guard !text.isEmpty else { return Condition.never }
            switch comparator {
            case .beginsWith: return try beginning(sql, with: text)
            case .contains:
                guard let bound = try bindings.bind(.string(text), as: .text) else { return nil }
                return Condition(sql: "strpos(\(sql), \(bound)) > 0", isExact: text.isUnescaped)
            case .endsWith:
                guard let bound = try bindings.bind(.string(text), as: .text) else { return nil }
                return Condition(
                    sql: "right(\(sql), length(\(bound))) = \(bound)", isExact: text.isUnescaped)
            default: return nil
            }
        case .like(let pattern, _): return try like(sql, pattern)
        case .expression, .words: return nil
        }
    }

    /// Translates a prefix into a range, which can use an index.
    private mutating func beginning(_ sql: String, with text: String) throws -> Condition? {
        guard let low = try bindings.bind(.string(text), as: .text) else { return nil }
        guard let end = text.firstAfterPrefixed else {
            return Condition(sql: "\(sql) >= \(low)", isExact: true)
        }
        guard let high = try bindings.bind(.string(end), as: .text) else { return nil }
        return Condition(sql: "\(sql) >= \(low) AND \(sql) < \(high)", isExact: true)
    }

    private mutating func like(_ sql: String, _ pattern: LikePattern) throws -> Condition? {
        let start = pattern.literal
        if start.isWhole {
            guard let bound = try bindings.bind(.string(start.text), as: .text) else { return nil }
            return Condition(sql: "\(sql) = \(bound)", isExact: true)
        }
        let beginning = start.text.isEmpty ? nil : try self.beginning(sql, with: start.text)
        if start.isPrefix { return beginning ?? Condition(sql: "\(sql) IS NOT NULL", isExact: true) }
        // A character of a stored text may be two, so `?` has no equal.
        guard let (texts, beginsOpen, endsOpen) = pattern.literals else {
            return beginning.map { Condition(sql: $0.sql, isExact: false) }
        }
        let escaped = texts.map { text in
            text.unicodeScalars.map { "\\%_".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        let whole = (beginsOpen ? "%" : "") + escaped.joined(separator: "%") + (endsOpen ? "%" : "")
        guard let bound = try bindings.bind(.string(whole), as: .text) else { return nil }
        let matches = "\(sql) LIKE \(bound)"
        return Condition(
            sql: beginning.map { "\($0.sql) AND \(matches)" } ?? matches,
            isExact: texts.allSatisfy(\.isUnescaped))
    }

    // MARK: - Values

    /// One side of a comparison.
    private struct Operand {
        /// The expression in SQL, or `nil` for a constant.
        var sql: String?
        var constant: AttributeValue?
        var type: PostgreSQLType
        /// The alias of the table, the table and the position of an attribute, or `nil` for other values.
        var attribute: (alias: String, table: TableLayout, position: Int)?

        /// Returns the expression for comparisons that ignore differences, or `nil` if there is no column for it.
        func folded(_ options: StringOptions) -> String? {
            guard !options.isEmpty, constant == nil else { return sql }
            guard let attribute,
                let column = attribute.table.foldedColumn(of: attribute.position, options)
            else { return nil }
            return "\(attribute.alias).\(column.name)"
        }

        /// The value of a Boolean as 0 or 1.
        var asInteger: Operand {
            Operand(sql: sql.map { "\($0)::int" }, type: .integer)
        }
    }

    private mutating func operand(_ value: ResolvedValue) throws -> Operand? {
        switch value {
        case .constant(let constant, _):
            return PostgreSQLType(of: constant).map { Operand(constant: constant, type: $0) }
        case .column(let path, let position):
            guard let scope = frames[path.frame] else { return nil }
            let (alias, table) = scope.end(of: path.hops)
            let column = table.columns[position]
            return Operand(
                sql: "\(alias).\(column.name)", type: column.type, attribute: (alias, table, position))
        case .identity(let frame):
            return frames[frame].map { Operand(sql: "\($0.alias).\"id\"", type: .integer) }
        case .aggregate(.count, let collection, .identity, false):
            guard let count = try subselect(collection, where: nil, selecting: "count(*)"), count.isExact
            else { return nil }
            return Operand(sql: "(\(count.sql))", type: .integer)
        case .element, .aggregate, .arithmetic, .negation, .function, .cast, .conditional:
            return nil
        }
    }

    // MARK: - Collections

    /// Translates a collection into a SELECT of its objects that satisfy a condition.
    private mutating func subselect(
        _ collection: ResolvedCollection, where condition: ResolvedCondition?, selecting columns: String
    ) throws -> Condition? {
        var scopes: [TableScope] = []
        var conditions: [String] = []
        var isExact = true
        for step in collection.steps {
            // The elements of a list are in no table.
            if case .attribute = step.relationship { return nil }
            guard let outer = frames[step.source.frame] else { return nil }
            let scope = TableScope(outer.layout.table(of: step.destination), inside: outer)
            guard let membership = membership(of: step, scope, inside: outer) else { return nil }
            scopes.append(scope)
            conditions.append(membership)
            frames[step.frame] = scope
            guard let filter = step.filter else { continue }
            let part = try attempt { try $0.condition(filter) } ?? .unknown
            conditions.append("(\(part.sql))")
            isExact = isExact && part.isExact
        }
        if let condition {
            let part = try attempt { try $0.condition(condition) } ?? .unknown
            conditions.append("(\(part.sql))")
            isExact = isExact && part.isExact
        }
        // The tables come last because the conditions determine the joins.
        let tables = scopes.map(\.tables).joined(separator: " CROSS JOIN ")
        return Condition(
            sql: "SELECT \(columns) FROM \(tables) WHERE \(conditions.joined(separator: " AND "))",
            isExact: isExact)
    }

    /// Translates the condition that an object is in the collection of its owner, or returns `nil` for a list.
    private func membership(
        of step: ResolvedCollection.Step, _ scope: TableScope, inside outer: TableScope
    ) -> String? {
        let (owner, table) = outer.end(of: step.source.hops)
        switch step.relationship {
        case .toMany(let position):
            let relationship = step.source.entity.toMany[position]
            guard let link = relationship.link else {
                guard case .toOne(let column) = relationship.inverse else { return nil }
                return "\(scope.alias).\(scope.table.columns[column].name) = \(owner).\"id\""
            }
            let (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
            return "\(scope.alias).\"id\" IN (SELECT \"\(far)\" FROM \(scope.layout.links[link.index].name) "
                + "WHERE \"\(near)\" = \(owner).\"id\")"
        case .toOne(let column): return "\(scope.alias).\"id\" = \(owner).\(table.columns[column].name)"
        case .attribute: return nil
        }
    }
}

extension ResolvedCondition.Relation {
    fileprivate var sql: String {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

extension String {
    /// Whether the text is found in a stored text exactly where it is in the text itself.
    ///
    /// The escapes of U+0000 and U+0001 contain U+0001 and U+0002.
    fileprivate var isUnescaped: Bool { !utf8.contains { $0 <= 2 } }
}

extension PostgreSQLType {
    /// Creates the type of a constant, or returns `nil` for nil.
    fileprivate init?(of constant: AttributeValue) {
        switch constant {
        case .null: return nil
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .double, .date: self = .double
        case .decimal: self = .numeric
        case .string, .uri: self = .text
        case .binary: self = .bytes
        case .uuid: self = .uuid
        }
    }
}
