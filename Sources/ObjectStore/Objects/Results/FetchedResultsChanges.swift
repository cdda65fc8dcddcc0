/// The difference between two states of live results.
///
/// To apply it to a table that shows the former state:
/// 1. Take out the objects of `removals`, in their order. Their places are those in the former state.
/// 2. Delete the sections of `deletedSections`, in their order. They are empty now.
/// 3. Insert the sections of `insertedSections`, in their order.
/// 4. Insert the objects of `insertions`, in their order. Their places are those in the new state.
/// 5. Show the objects of `updated` again. Their places are those in the new state.
public struct FetchedResultsChanges<Object: ManagedObject> {
    /// An object that was taken out or inserted, and its place.
    public typealias Placed = (object: Object, place: FetchedResultsPlace)

    /// The positions of sections in the former state, the last one first.
    public private(set) var deletedSections: [Int] = []
    /// The positions of sections in the new state, the first one first.
    public private(set) var insertedSections: [Int] = []
    /// The objects that are no longer in the results, with their former places, the last one first.
    public private(set) var deleted: [Placed] = []
    /// The objects that were not in the results, with their new places, the first one first.
    public private(set) var inserted: [Placed] = []
    /// The objects at another place than before, apart from what insertions, deletions and other moves cause.
    ///
    /// As few objects as possible move. An object of a section that is deleted or inserted, but is in the results before
    /// and after, moves too.
    public private(set) var moved: [(object: Object, from: FetchedResultsPlace, to: FetchedResultsPlace)] = []
    /// The objects in both states of which an attribute, a to-one relationship or a many-to-many relationship was
    /// changed, with their new places. They may have moved too.
    public private(set) var updated: [Placed] = []

    /// Whether nothing changed.
    public var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty
            && moved.isEmpty && updated.isEmpty
    }

    /// The objects to take out: those that are deleted or moved, with their former places, the last one first.
    public var removals: [Placed] {
        (deleted + moved.map { ($0.object, $0.from) }).sorted { $0.place > $1.place }
    }

    /// The objects to insert: those that are inserted or moved, with their new places, the first one first.
    public var insertions: [Placed] {
        (inserted + moved.map { ($0.object, $0.to) }).sorted { $0.place < $1.place }
    }

    init(_ difference: Difference, from old: Arrangement, to new: Arrangement) {
        let object = { (arrangement: Arrangement, index: Int) in
            unsafeDowncast(arrangement.objects[index], to: Object.self)
        }
        deletedSections = difference.deletedSections
        insertedSections = difference.insertedSections
        deleted = difference.deleted.map { (object(old, $0), old.place(at: $0)) }
        inserted = difference.inserted.map { (object(new, $0), new.place(at: $0)) }
        moved = difference.moved.map { (object(new, $0.to), old.place(at: $0.from), new.place(at: $0.to)) }
        updated = difference.updated.map { (object(new, $0), new.place(at: $0)) }
    }
}

/// The difference between two states of live results, by the indices of the objects.
struct Difference {
    private(set) var deletedSections: [Int] = []
    private(set) var insertedSections: [Int] = []
    private(set) var deleted: [Int] = []
    private(set) var inserted: [Int] = []
    private(set) var moved: [(from: Int, to: Int)] = []
    private(set) var updated: [Int] = []

    /// - Parameter relinked: The objects of which a many-to-many relationship was changed.
    init(from old: Arrangement, to new: Arrangement, relinked: Set<ObjectID>) {
        let stays = objectsThatStay(from: old, to: new)
        for index in new.objects.indices {
            let object = new.objects[index]
            guard let former = old.indices[ObjectIdentifier(object)] else {
                inserted.append(index)
                continue
            }
            if !stays[index] { moved.append((former, index)) }
            // Equal values keep their copy.
            if !old.values[former].isSameRow(as: new.values[index])
                || !relinked.isEmpty && relinked.contains(object.objectID)
            {
                updated.append(index)
            }
        }
        for index in old.objects.indices.reversed()
        where new.indices[ObjectIdentifier(old.objects[index])] == nil {
            deleted.append(index)
        }
    }

    /// Records which sections are deleted and inserted, and returns for each object of the new state whether it stays
    /// at its place beside the others that stay.
    private mutating func objectsThatStay(from old: Arrangement, to new: Arrangement) -> [Bool] {
        var stays = Array(repeating: false, count: new.objects.count)
        let former = Dictionary(uniqueKeysWithValues: old.sections.enumerated().map { ($1.name, $0) })
        let common = new.sections.indices.compactMap { position in
            former[new.sections[position].name].map { (old: $0, new: position) }
        }
        let kept = common.map(\.old).longestIncrease().map { common[$0] }
        deletedSections = Set(old.sections.indices).subtracting(kept.map(\.old)).sorted(by: >)
        insertedSections = Set(new.sections.indices).subtracting(kept.map(\.new)).sorted()
        for section in kept {
            let range = old.sections[section.old].range
            let candidates = new.sections[section.new].range.compactMap { index in
                old.indices[ObjectIdentifier(new.objects[index])].flatMap { former in
                    range.contains(former) ? (old: former, new: index) : nil
                }
            }
            for position in candidates.map(\.old).longestIncrease() { stays[candidates[position].new] = true }
        }
        return stays
    }
}

extension [Int] {
    /// Returns the positions of a longest increasing subsequence. The numbers differ from one another.
    func longestIncrease() -> [Int] {
        if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return Array(indices) }
        // The position of the least last number of the subsequences of each length, and the position before each one.
        var ends: [Int] = []
        var previous = Array(repeating: -1, count: count)
        for (position, number) in enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if self[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[position] = ends[low - 1] }
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var result: [Int] = []
        var position = ends.last ?? -1
        while position >= 0 {
            result.append(position)
            position = previous[position]
        }
        return result.reversed()
    }
}
