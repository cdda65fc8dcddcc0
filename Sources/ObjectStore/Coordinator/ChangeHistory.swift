/// Which objects were saved since when, so that a context notices that another one was faster.
///
/// While there is one context nothing is written down.
final class ChangeHistory {
    struct Key: Hashable {
        let entity: Int
        let id: Int64
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

    func note(_ entity: Entity, _ id: Int64) {
        if isWatching { lastChanges[Key(entity: entity.index, id: id)] = saves }
    }

    /// Whether the object was saved after the moment that `readAt` tells.
    func changed(_ entity: Entity, _ id: Int64, since readAt: Int) -> Bool {
        guard isWatching, let change = lastChanges[Key(entity: entity.index, id: id)] else { return false }
        return change > readAt
    }
}
