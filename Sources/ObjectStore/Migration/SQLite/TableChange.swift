/// The changes to the table of one entity.
struct TableChange {
    let entity: Entity
    let oldName: String
    private let table: String
    /// The new names of the columns that are kept.
    private var kept: [Int: String] = [:]
    /// The source columns that are removed.
    private let going: [Int]
    private var additions: [String] = []
    private var assignments: [SQLFragment] = []
    private(set) var columnsToCheck: [Int] = []
    private let source: Entity
    /// The names of the indexes that are the same in both models.
    let keptIndexes: Set<String>

    init(_ part: ResolvedMapping.EntityPart, _ mapping: ResolvedMapping) throws {
        guard let source = part.source, let destination = part.destination else {
            throw SQLMigration.Obstacle("\(part.mapping.name) has only one side")
        }
        self.source = source
        entity = destination
        oldName = source.name
        table = SQLFragment.quoted(destination.name)
        kept = try Self.keptColumns(of: part, from: source, to: destination, mapping: mapping)
        try Self.requireDerivedValuesStay(part, from: source, mapping, kept)
        let stays = Set(kept.keys)
        going = source.columns.indices.filter { !stays.contains($0) }
        keptIndexes =
            going.isEmpty
            ? try Self.sharedIndexes(
                of: source, in: mapping.model.source, and: destination, in: mapping.model.destination)
            : []
        for position in destination.columns.indices {
            try plan(position: position, part: part, mapping: mapping)
        }
    }

    // MARK: - Planning

    static func keptColumns(
        of part: ResolvedMapping.EntityPart, from source: Entity, to destination: Entity,
        mapping: ResolvedMapping
    ) throws -> [Int: String] {
        var kept: [Int: String] = [:]
        for attribute in part.attributes {
            let column = destination.columns[attribute.column]
            guard case .expression(let expression) = attribute.value, let former = expression.plainColumn,
                kept[former] == nil, source.columns[former].isStored(likeThatOf: column)
            else { continue }
            kept[former] = column.name
        }
        for relationship in part.relationships where !relationship.destination.description.isToMany {
            let end = relationship.destination
            guard let former = source.column(named: relationship.source.name) else {
                throw SQLMigration.Obstacle("\(destination.name).\(end.name) was to-many")
            }
            try mapping.requireSameTarget(relationship)
            guard kept[former] == nil else {
                throw SQLMigration.Obstacle(
                    "\(source.name).\(relationship.source.name) becomes two relationships")
            }
            kept[former] = end.name
        }
        return kept
    }

    private static func sharedIndexes(
        of source: Entity, in sourceModel: ManagedObjectModel, and destination: Entity,
        in destinationModel: ManagedObjectModel
    ) throws -> Set<String> {
        let wanted = try SQLiteIndex.all(of: destination, in: destinationModel).map { $0.sql }
        let present = try SQLiteIndex.all(of: source, in: sourceModel)
        return Set(present.filter { wanted.contains($0.sql) }.map(\.name))
    }

    private mutating func plan(
        position: Int, part: ResolvedMapping.EntityPart, mapping: ResolvedMapping
    ) throws {
        let column = entity.columns[position]
        switch column.content {
        case .toOne(let relationship):
            let isMapped = part.relationships.contains { $0.destination === relationship }
            try requireBothEnds(of: relationship, isMapped: isMapped, mapping: mapping)
            if !isMapped { additions.append(SQLiteSchema.column(column, mapping.model.destination)) }
        case .attribute(let attribute):
            guard let mapped = part.attributes.last(where: { $0.column == position }) else {
                return addDefault(of: attribute, column: column, mapping: mapping)
            }
            try plan(mapped, column: column, position: position, mapping: mapping)
        }
    }

    private mutating func addDefault(
        of attribute: AttributeDescription, column: Entity.Column, mapping: ResolvedMapping
    ) {
        let added = SQLiteSchema.column(column, mapping.model.destination)
        // Binding normalizes text for comparisons. A literal is stored unchanged.
        let isPlain = !attribute.defaultValue.isTextToCompose
        let literal: SQLFragment =
            isPlain ? .literal(attribute.defaultValue) : .bound(attribute.defaultValue)
        switch (attribute.defaultValue.isNull, literal.bindings.isEmpty) {
        case (true, _): additions.append(added)
        case (false, true): additions.append("\(added) DEFAULT \(literal.text)")
        case (false, false):
            additions.append(added)
            assignments.append("\(SQLFragment.quoted(column.name)) = " + .bound(attribute.defaultValue))
        }
    }

    private mutating func plan(
        _ mapped: ResolvedMapping.AttributePart, column: Entity.Column, position: Int,
        mapping: ResolvedMapping
    ) throws {
        let name = SQLFragment.quoted(column.name)
        switch mapped.value {
        case .newUUID:
            additions.append(SQLiteSchema.column(column, mapping.model.destination))
            assignments.append(SQLFragment("\(name) = \(Self.newUUID)"))
        case .expression(let expression):
            if let former = expression.plainColumn, kept[former] == column.name {
                if !mapped.whenNil.isNull {
                    assignments.append("\(name) = ifnull(\(name), " + .bound(mapped.whenNil) + ")")
                }
                if source.columns[former].allowsMore(than: column, whenNil: mapped.whenNil) {
                    columnsToCheck.append(position)
                }
                return
            }
            var value = try sql(expression, for: column)
            if !mapped.whenNil.isNull { value = "ifnull(" + value + ", " + .bound(mapped.whenNil) + ")" }
            additions.append(SQLiteSchema.column(column, mapping.model.destination))
            assignments.append("\(name) = " + value)
            columnsToCheck.append(position)
        }
    }

    /// Throws if only one end of a one-to-one relationship is mapped. Each end has a column, and both must
    /// agree.
    private func requireBothEnds(
        of relationship: Entity.Relationship, isMapped: Bool, mapping: ResolvedMapping
    ) throws {
        guard case .toOne = relationship.inverse else { return }
        let target = mapping.model.destination.destination(of: relationship)
        let inverse = target.relationship(at: relationship.inverse)
        let isInverseMapped = mapping.parts(to: target).contains { part in
            part.relationships.contains { $0.destination === inverse }
        }
        guard isMapped == isInverseMapped else {
            throw SQLMigration.Obstacle("only one end of \(entity.name).\(relationship.name) is mapped")
        }
    }

    // MARK: - Expressions

    /// Generates a version 4 UUID (RFC 9562), in the format of `UUIDValue`.
    private static let newUUID =
        "hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' "
        + "|| substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))"

    private func sql(_ expression: MappedExpression, for column: Entity.Column) throws -> SQLFragment {
        let value = try sql(expression.value)
        let from = expression.plainColumn.map { source.columns[$0].type }
        switch (expression.type, column.type) {
        case (.double, .integer16), (.double, .integer32), (.double, .integer64):
            throw SQLMigration.Obstacle("\(entity.name).\(column.name) rounds numbers")
        case (.integer, .double):
            guard from == .integer16 || from == .integer32 || expression.constant != nil else {
                throw SQLMigration.Obstacle("\(entity.name).\(column.name) makes doubles of integers")
            }
            return "CAST(" + value + " AS REAL)"
        case (.integer, .decimal), (.integer, .string): return "CAST(" + value + " AS TEXT)"
        default: return value
        }
    }

    private func sql(_ value: ResolvedValue) throws -> SQLFragment {
        switch value {
        case .constant(let constant, _): return .bound(constant)
        case .column(let path, let column) where path.hops.isEmpty:
            return SQLFragment(SQLFragment.quoted(currentName(column)))
        case .negation(let operand): return try "(0 - " + sql(operand) + ")"
        case .arithmetic(.add, let left, let right): return try "(" + sql(left) + " + " + sql(right) + ")"
        case .arithmetic(.subtract, let left, let right):
            return try "(" + sql(left) + " - " + sql(right) + ")"
        case .arithmetic(.multiply, let left, let right):
            return try "(" + sql(left) + " * " + sql(right) + ")"
        case .conditional(let condition, let first, let second):
            return try "CASE WHEN " + sql(condition) + " THEN " + sql(first) + " ELSE " + sql(second) + " END"
        default: throw computedByObject
        }
    }

    /// Returns the SQL of a condition that an inferred mapping of a hierarchy uses.
    private func sql(_ condition: ResolvedCondition) throws -> SQLFragment {
        switch condition {
        case .and(let conditions): return .joined(try conditions.map { try sql($0) }, by: " AND ")
        case .isNull(let value): return try sql(value) + " IS NULL"
        case .member(.column(let path, let column), let names, [])
        where path.hops.isEmpty && column == Entity.Inheritance.column && source.inheritance != nil:
            return SQLFragment(SQLFragment.quoted(currentName(column))) + " IN ("
                + .joined(try names.map { try sql($0) }, by: ", ") + ")"
        default: throw computedByObject
        }
    }

    private var computedByObject: SQLMigration.Obstacle {
        SQLMigration.Obstacle("\(entity.name) has values that are computed object by object")
    }

    /// Returns the current name of a source column, after all columns have been renamed.
    func currentName(_ column: Int) -> String {
        kept[column] ?? SQLMigration.former(source.columns[column].name)
    }

    // MARK: - Steps

    /// The statements that rename and add columns. Renaming takes two rounds because two columns may have
    /// swapped their names.
    var columnSteps: [SQLMigration.Step] {
        let moving = source.columns.indices.filter { kept[$0] != source.columns[$0].name }
        var texts = moving.map {
            rename(column: source.columns[$0].name, to: SQLMigration.former(source.columns[$0].name))
        }
        for position in moving {
            guard let name = kept[position] else { continue }
            texts.append(rename(column: SQLMigration.former(source.columns[position].name), to: name))
        }
        texts += additions.map { "ALTER TABLE \(table) ADD COLUMN \($0)" }
        return texts.map { .statement($0) }
    }

    private func rename(column: String, to name: String) -> String {
        "ALTER TABLE \(table) RENAME COLUMN \(SQLFragment.quoted(column)) TO \(SQLFragment.quoted(name))"
    }

    /// One UPDATE for all computed values.
    var updates: [SQLMigration.Step] {
        guard !assignments.isEmpty else { return [] }
        return [.update(table: entity.name, "SET " + .joined(assignments, by: ", "))]
    }

    var dropSteps: [SQLMigration.Step] {
        going.map { position in
            .statement("ALTER TABLE \(table) DROP COLUMN \(SQLFragment.quoted(currentName(position)))")
        }
    }
}

extension ResolvedMapping {
    /// Throws if the target objects become objects of another entity, because then their ids may change.
    func requireSameTarget(_ part: RelationshipPart) throws {
        let former = model.source.destination(of: part.source)
        let target = model.destination.destination(of: part.destination)
        guard parts(from: former).contains(where: { $0.destination === target }) else {
            throw SQLMigration.Obstacle("\(part.destination.name) refers to objects of another entity")
        }
    }
}

extension Entity.Column {
    /// Whether values of this column are stored in the same form in the other column.
    fileprivate func isStored(likeThatOf other: Entity.Column) -> Bool {
        let isSameClass = SQLiteSchema.storageClass(of: type) == SQLiteSchema.storageClass(of: other.type)
        return isSameClass && type.converts(to: other.type)
    }

    /// Whether this column may hold values that the other one does not allow.
    fileprivate func allowsMore(than other: Entity.Column, whenNil: AttributeValue) -> Bool {
        if isOptional && !other.isOptional && whenNil.isNull { return true }
        return type != other.type && !other.rules.isEmpty || !other.rules.allSatisfy(rules.contains)
    }
}

extension AttributeValue {
    fileprivate var isTextToCompose: Bool {
        switch self {
        case .string(let text), .uri(let text): !text.utf8.allSatisfy { $0 < 0x80 }
        default: false
        }
    }
}
