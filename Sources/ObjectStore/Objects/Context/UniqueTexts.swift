/// The objects with each text of columns whose values are unique if differences such as case are ignored.
///
/// No index of a store ignores such differences, so that a search for one text reads all of them. A save of many objects
/// reads them once.
struct UniqueTexts {
    /// The number of objects in a save from which on all texts are read at once.
    static let leastObjects = 16
    /// An object and another one with the same text are enough for a check.
    private static let idsLimit = 2

    private struct Key: Hashable {
        let place: Int
        let entity: Int
        let column: Int
    }

    private var known: [Key: [FoldedText: [Int64]]] = [:]

    /// Returns the IDs of up to two objects with a text.
    mutating func ids(
        of entity: Entity, with text: String, _ options: StringOptions, inColumn column: Int,
        _ place: AddedStore
    ) throws -> [Int64] {
        let key = Key(place: place.position, entity: entity.index, column: column)
        let texts = try known[key] ?? Self.read(entity, options, column, place.store)
        known[key] = texts
        return texts[FoldedText(text, options)] ?? []
    }

    private static func read(
        _ entity: Entity, _ options: StringOptions, _ column: Int, _ store: any PersistentStore
    ) throws -> [FoldedText: [Int64]] {
        var texts: [FoldedText: [Int64]] = [:]
        let query = StoreQuery(
            request: StoreRequest(entity: entity), columns: [.key("id"), .key(entity.columns[column].name)])
        try store.forEachRow(query) { row in
            guard let id = row.integer(at: 0), case .string(let text) = row.value(at: 1) else { return }
            let folded = FoldedText(text, options)
            if texts[folded, default: []].count < idsLimit { texts[folded, default: []].append(id) }
        }
        return texts
    }
}
