internal import CivilTime
internal import ObjectStore
internal import Varlink

/// A copy of the values of one object.
struct ObjectSnapshot {
    /// The properties that the daemon sets.
    ///
    /// They are restored with a deleted object, but never compared.
    private static let bookkeeping: Set = [
        "modifiedDate", "acknowledgedDate", "lastAlertDate", "nextAlertDate", "toldForDue",
    ]

    let entity: Entity
    let id: Int64
    private let values: RowValues
    /// The IDs of the objects that are in its many-to-many relationships on this side of a change, and not on the other side.
    private(set) var links: [String: [Int64]] = [:]

    /// Creates a snapshot of the current values of an object, or of its saved values.
    ///
    /// - Parameter changes: The unsaved changes of its many-to-many relationships.
    init(_ object: ManagedObject, asSaved: Bool = false, changes: [String: LinkedObjectsChange] = [:]) {
        entity = object.entity
        id = object.id
        values = object.rowValues(asSaved: asSaved)
        for name in ChangeRecord.linkNames(of: entity.name) {
            let ids = asSaved ? changes[name]?.removed : changes[name]?.added
            if let ids, !ids.isEmpty { links[name] = ids.sorted() }
        }
    }

    /// Returns the snapshot with the links of another one of the same object.
    func keepingLinks(of other: ObjectSnapshot?) -> ObjectSnapshot {
        var snapshot = self
        snapshot.links = other?.links ?? [:]
        return snapshot
    }

    var name: ObjectID { ObjectID(entity: entity.name, id: id) }

    subscript(property: String) -> AttributeValue {
        entity.column(named: property).map { values[$0] } ?? .null
    }

    /// Returns the text of an attribute, or an empty text if it has none.
    func text(_ property: String) -> String {
        if case .string(let text) = self[property] { text } else { "" }
    }

    /// Returns the properties that differ and are set by the user.
    func differences(from other: ObjectSnapshot) -> [String] {
        entity.columns.indices.filter { values[$0] != other.values[$0] }.map { entity.columns[$0].name }
            .filter { !Self.bookkeeping.contains($0) }
            + ChangeRecord.linkNames(of: entity.name).filter { links[$0] != other.links[$0] }
    }

    // MARK: - JSON

    /// Writes the object without its null values: `{"id":3,"name":"Pay the rent","dueDate":1795248000.0}`.
    func write(to writer: inout JSONWriter, _ names: JSONNames) {
        writer.object { object in
            object.name(0, of: names)
            object.value(id)
            var position = 0
            values.forEach { value in
                position += 1
                guard !value.isNull else { return }
                object.name(position, of: names)
                object.value(value)
            }
            for (offset, name) in ChangeRecord.linkNames(of: entity.name).enumerated() {
                guard let ids = links[name] else { continue }
                object.name(position + 1 + offset, of: names)
                object.array { array in for id in ids { array.value(id) } }
            }
        }
    }

    /// Reads a snapshot, or returns `nil` if the JSON is not an object of the entity.
    init?(_ json: JSON, of entity: Entity) {
        guard case .object(let object) = json, case .integer(let id)? = object["id"] else { return nil }
        self.entity = entity
        self.id = id
        // A change of an earlier version of the model does not have the columns that were added since.
        var values: [AttributeValue] = entity.columns.map { column in
            guard !column.isOptional, case .attribute(let attribute) = column.content else { return .null }
            return attribute.defaultValue
        }
        let linkNames = ChangeRecord.linkNames(of: entity.name)
        for (property, json) in object.members where property != "id" {
            if linkNames.contains(property) {
                guard case .array(let elements) = json else { return nil }
                links[property] = elements.compactMap { if case .integer(let id) = $0 { id } else { nil } }
                continue
            }
            guard let column = entity.column(named: property),
                let value = AttributeValue(json, of: entity.columns[column].type)
            else { return nil }
            values[column] = value
        }
        self.values = RowValues.make(values)
    }
}

extension JSONWriter {
    /// Writes a value of a type that the reminder model uses, or null for any other type.
    fileprivate mutating func value(_ value: AttributeValue) {
        switch value {
        case .boolean(let flag): self.value(flag)
        case .integer(let number): self.value(number)
        case .string(let text): self.value(text)
        case .date(let moment): self.value(moment.secondsSince1970)
        case .binary(let bytes): self.value(Hexadecimal.text(of: bytes))
        default: null()
        }
    }
}

extension AttributeValue {
    fileprivate init?(_ json: JSON, of type: AttributeType) {
        switch json {
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number) where type == .date:
            self = .date(Timestamp(secondsSince1970: Double(number)))
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .date(Timestamp(secondsSince1970: number))
        case .string(let text) where type == .binary:
            guard let bytes = Hexadecimal.bytes(of: text) else { return nil }
            self = .binary(bytes)
        case .string(let text): self = .string(text)
        default: return nil
        }
        guard type.admits(self) else { return nil }
    }
}
