public import CivilTime

/// The changes of a save that a store records in its history.
///
/// Objects with consecutive IDs and the same change share an entry. A save that inserts many objects has one entry for
/// each of their entities.
public struct HistoryRecord: Sendable {
    /// The same change of objects with consecutive IDs.
    public struct Entry: Sendable {
        /// The kind of the change.
        public let kind: HistoryChange.Kind
        /// The entity of the objects.
        public let entity: Entity
        /// The IDs of the objects.
        public fileprivate(set) var ids: ClosedRange<Int64>
        /// The names of the properties that an update changed.
        public let properties: [String]
        /// The preserved values of a deleted object. Such an object has an entry of its own.
        public let preserved: [String: AttributeValue]
    }

    /// The time of the save.
    public let time: Timestamp
    /// The author of the save.
    public let author: String?
    /// The name of the context that saves.
    public let contextName: String?
    /// The changes.
    public private(set) var entries: [Entry] = []

    init(author: String?, contextName: String?) {
        time = .now
        self.author = author
        self.contextName = contextName
    }

    /// Adds the change of an object. It extends the last entry if it can.
    mutating func append(
        _ kind: HistoryChange.Kind, _ id: Int64, of entity: Entity, properties: [String] = [],
        preserved: [String: AttributeValue] = [:]
    ) {
        if let last = entries.last, last.ids.upperBound == id, last.entity === entity { return }
        if preserved.isEmpty, let last = entries.last, last.ids.upperBound &+ 1 == id, last.kind == kind,
            last.entity === entity, last.properties == properties, last.preserved.isEmpty
        {
            entries[entries.count - 1].ids = last.ids.lowerBound...id
        } else {
            entries.append(
                Entry(kind: kind, entity: entity, ids: id...id, properties: properties, preserved: preserved))
        }
    }
}

extension Entity {
    /// Returns the values that the history preserves, except those that are nil.
    func preservedValues(_ value: (_ column: Int) -> AttributeValue) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for column in preservedColumns where !value(column).isNull {
            values[columns[column].name] = value(column)
        }
        return values
    }
}
