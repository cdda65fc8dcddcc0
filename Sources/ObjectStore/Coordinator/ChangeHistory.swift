/// Which objects were saved since when, so that a context notices that another one was faster.
///
/// While there is one context nothing is written down.
final class ChangeHistory {
    private struct Key: Hashable {
        let entity: Int
        let store: Int
        let id: Int64

        init(_ registry: ObjectRegistry, _ id: Int64) {
            entity = registry.entity.index
            store = registry.store
            self.id = id
        }
    }

    /// How many saves there were.
    private(set) var saves = 0
    private var lastChanges: [Key: Int] = [:]
    private var contextCount = 0

    var isWatching: Bool { contextCount > 1 }

    func contextBegins() {
        contextCount += 1
    }

    func contextEnds() {
        contextCount -= 1
        if !isWatching { lastChanges = [:] }
    }

    func countSave() {
        saves += 1
    }

    func note(_ id: Int64, in registry: ObjectRegistry) {
        if isWatching { lastChanges[Key(registry, id)] = saves }
    }

    /// Whether the object was saved after it was read.
    func isChanged(_ object: ManagedObject) -> Bool {
        guard isWatching, let change = lastChanges[Key(object.home, object.id)] else { return false }
        return change > object.readAt
    }
}
