internal import ObjectStore
internal import Reminders

/// The parent and the blockers of an imported item, which a file names by their identifiers.
struct ImportedRelations {
    /// The distance to the last subtask of an item that gets another parent without a position.
    private static let distance = 1 << 32

    private(set) var parent: ToDo?
    private(set) var blockers: [ToDo] = []
    /// The reasons why relations are omitted.
    private(set) var problems: [String] = []

    /// Finds the items.
    ///
    /// - Parameters:
    ///   - known: the item in the store, or `nil` for a new one.
    ///   - waiting: the identifiers of items of the file that are not in the store yet.
    init(
        of item: ExchangeItem, known: ToDo?, in context: ManagedObjectContext, waiting: Set<String> = []
    ) throws {
        let find = { (uid: String) in try context.object(of: ToDo.self, matching: \.uid, equals: uid) }
        if let uid = item.parent {
            if let found = try find(uid) {
                if let problem = try Self.problem(ofParent: found, known: known) {
                    problems.append("its parent '\(found.name)' is omitted: \(problem)")
                } else {
                    parent = found
                }
            } else {
                problems.append(
                    "its parent \(uid.prefix(80)) is omitted: "
                        + Self.problem(ofMissing: uid, besides: item, waiting))
            }
        }
        for uid in item.blockers {
            guard blockers.count < ReminderModel.blockersLimit else {
                problems.append("blockers after the first \(ReminderModel.blockersLimit) are omitted")
                break
            }
            if let found = try find(uid) {
                if let known, try found === known || found.isBlocked(by: known) {
                    problems.append("its blocker '\(found.name)' is omitted: it waits for this item")
                } else {
                    blockers.append(found)
                }
            } else {
                problems.append(
                    "its blocker \(uid.prefix(80)) is omitted: "
                        + Self.problem(ofMissing: uid, besides: item, waiting))
            }
        }
    }

    private static func problem(
        ofMissing uid: String, besides item: ExchangeItem, _ waiting: Set<String>
    ) -> String {
        if uid == item.uid { return "it is the item itself" }
        return waiting.contains(uid)
            ? "the items of the file form a circle" : "it is neither in the file nor in the store"
    }

    private static func problem(ofParent parent: ToDo, known: ToDo?) throws -> String? {
        if let known, known.parent === parent { return nil }
        let ancestors = parent.ancestors
        if let known, known === parent || ancestors.contains(known) { return "it is below the item" }
        if parent.children.count >= ReminderModel.childrenLimit {
            return "it has \(ReminderModel.childrenLimit) subtasks already"
        }
        guard ancestors.count + 2 + (try known?.levelsBelow().count ?? 0) <= ReminderModel.levelsLimit else {
            return "there are at most \(ReminderModel.levelsLimit) levels"
        }
        return nil
    }

    /// Sets the parent and the blockers of an item, which has the position of the file.
    ///
    /// Other items do not change, because they may be in the record of the import already.
    func apply(to toDo: ToDo) {
        if let parent, toDo.parent !== parent {
            if toDo.place == nil, !toDo.isInserted {
                toDo.place = (parent.children.compactMap(\.place).max() ?? 0) + Self.distance
            }
            toDo.parent = parent
        }
        for blocker in toDo.isInserted ? [] : toDo.blockers.filter({ !blockers.contains($0) }) {
            toDo.blockers.remove(blocker)
        }
        for blocker in blockers { toDo.blockers.insert(blocker) }
    }
}
