package import CivilTime
package import ObjectStore
internal import Varlink

/// The user's last changes, which are stored so that they can be undone.
///
/// They are undone from the last to the first. An undone change can be redone until another change is made.
///
/// A change log belongs to one context and does not save it, except in `trim()`. The record of a change is part of the
/// save that makes the change.
package final class ChangeLog {
    /// The number of changes that can be undone.
    package static let limit = 100
    /// The largest number of items in a change that can be undone.
    package static let itemsLimit = 10_000
    /// The largest JSON size in bytes of the objects of one change, before and after it together.
    ///
    /// A larger change cannot be undone.
    package static let changeBytesLimit = 32 << 20
    /// The largest JSON size in bytes of all stored changes together.
    ///
    /// Above it, the oldest changes are deleted.
    package static let bytesLimit = 64 << 20
    /// The number of changes beyond `limit` that may be stored, so that old changes are deleted in batches.
    private static let toleratedSurplus: Int64 = 32
    /// The number of bytes of undone or redone changes after which they are saved.
    private static let bytesPerBatch = 1 << 20

    /// A change that was undone or redone.
    package struct Entry: Sendable {
        /// The method that made the change.
        package let method: String
        /// A description of the change: `deleted 'Pay the rent'`.
        package let summary: String
        package let madeDate: Timestamp
        package let itemIDs: [Int64]
    }

    /// The sequence numbers of the stored changes.
    private struct Extent {
        var first: Int64
        var last: Int64
        /// Whether the last change is undone.
        var isLastUndone: Bool
    }

    private let context: ManagedObjectContext
    private let bytesLimit: Int
    private let changeBytesLimit: Int
    private let columnNames: ChangeRecord.ColumnNames
    /// The sequence numbers of the stored changes, or `nil` if they must be read.
    private var extent: Extent?
    /// The sizes of the stored changes, or `nil` if they must be read.
    private var sizes: ChangeSizes?
    /// The items that an undo or a redo has changed since the last save.
    private var replayed: [ToDo] = []
    private var observation: ObservationToken?

    package init(
        context: ManagedObjectContext, bytesLimit: Int = ChangeLog.bytesLimit,
        changeBytesLimit: Int = ChangeLog.changeBytesLimit
    ) {
        self.context = context
        self.bytesLimit = bytesLimit
        self.changeBytesLimit = changeBytesLimit
        columnNames = ChangeRecord.ColumnNames(context.model)
        observation = context.observe { [unowned self] event in
            switch event {
            case .rolledBack:
                extent = nil
                for item in replayed { item.isReplayed = false }
                replayed = []
            case .saved: replayed = []
            case .merged: (extent, sizes) = (nil, nil)
            default: break
            }
        }
    }

    // MARK: - Recording

    /// Returns an empty draft for a change that begins.
    package func draft() -> ChangeDraft {
        ChangeDraft(context, columnNames, bytesLimit: changeBytesLimit)
    }

    /// Stores a draft as one change that can be undone.
    ///
    /// Changes that were undone before can then no longer be redone.
    ///
    /// - Returns: `false` if the change exceeds the undo limit. Nothing is stored then.
    package func record(
        _ method: String, _ draft: inout ChangeDraft, at now: Timestamp
    ) throws -> Bool {
        if draft.isTooLarge { return false }
        let texts = draft.takeTexts()
        if texts.before == nil, texts.after == nil { return true }
        try append(method, before: texts.before, after: texts.after, at: now)
        return true
    }

    private func text(of objects: [ObjectID: ObjectSnapshot], _ names: [ObjectID]) -> String? {
        var text = SnapshotText()
        for name in names { text.append(objects[name], columnNames) }
        return text.take()
    }

    /// Records a change that exceeds the undo limit.
    ///
    /// Changes before it can no longer be undone.
    ///
    /// - Parameter backup: the path of the safety copy made before the change, or `nil`.
    package func recordLarge(_ method: String, items: Int, backup: String?, at now: Timestamp) throws {
        try append(method, before: nil, after: LargeChange(items: items, backup: backup).text, at: now)
    }

    private func append(_ method: String, before: String?, after: String?, at now: Timestamp) throws {
        var extent = try self.extent ?? read()
        if extent.isLastUndone {
            for undone in try context.fetch(Change.where { $0.isUndone }.ordered(by: \.sequence)) {
                extent.last = min(extent.last, undone.sequence - 1)
                try context.delete(undone)
            }
        }
        let change = try context.insert(Change.self)
        extent.last += 1
        change.sequence = extent.last
        change.madeDate = now
        change.method = method
        change.before = before
        change.after = after
        extent.isLastUndone = false
        sizes?.record(extent.last, ChangeSizes.size(before: before, after: after))
        self.extent = extent
    }

    /// Deletes the oldest changes if there are too many or they exceed `bytesLimit`.
    ///
    /// This writes to the store at once, so the context must have no unsaved changes.
    package func trim() throws {
        guard var extent else { return }
        var sizes = try self.sizes ?? ChangeSizes(context)
        let isFull = extent.last - extent.first >= Int64(Self.limit) + Self.toleratedSurplus
        if isFull || sizes.total > bytesLimit {
            let longest = sizes.firstKept(upTo: extent.last, bytes: bytesLimit)
            let first = isFull ? max(longest, extent.last - Int64(Self.limit) + 1) : longest
            if first > extent.first {
                try context.deleteAll(Change.where { $0.sequence < first })
                extent.first = first
            }
            sizes.keep(extent.first...max(extent.first, extent.last))
            self.extent = extent
        }
        self.sizes = sizes
    }

    private func read() throws -> Extent {
        // The objects in the changes may be large, so they are not read.
        let last = Change.all.ordered(by: \.sequence, ascending: false).limit(1)
        guard let (number, isUndone) = try context.rows(last, of: \.sequence, \.isUndone).first else {
            return Extent(first: 1, last: 0, isLastUndone: false)
        }
        let first = Change.all.ordered(by: \.sequence).limit(1)
        let extent = Extent(
            first: try context.rows(first, of: \.sequence).first ?? number, last: number,
            isLastUndone: isUndone)
        // Another program may have written any number.
        let wrong = [extent.first, extent.last].first { !Change.sequences.contains(Int($0)) }
        if let number = wrong {
            throw StoreError(
                .other,
                "a change has the sequence number \(number), which is out of range; stop todod, delete that row of the table "
                    + "Change or restore a backup")
        }
        return extent
    }

    // MARK: - Undoing

    /// Undoes the last changes, at most `count`, and leaves the result unsaved.
    ///
    /// - Parameter endBatch: called with the changes undone so far when they are so large that they should be saved.
    /// - Throws: `UndoError` if the last change cannot be undone.
    package func undo(
        _ count: Int, at now: Timestamp, endBatch: ([Entry]) throws -> Void = { _ in }
    ) throws -> [Entry] {
        let oldest = (try self.extent ?? read()).last - Int64(Self.limit)
        return try replay(
            Change.where { !$0.isUndone && $0.sequence > oldest }
                .ordered(by: \.sequence, ascending: false).limit(count),
            isUndo: true, now, endBatch)
    }

    /// Redoes undone changes, at most `count`, starting with the one that was undone last.
    package func redo(
        _ count: Int, at now: Timestamp, endBatch: ([Entry]) throws -> Void = { _ in }
    ) throws -> [Entry] {
        try replay(
            Change.where { $0.isUndone }.ordered(by: \.sequence).limit(count), isUndo: false, now, endBatch)
    }

    private func replay(
        _ request: FetchRequest<Change>, isUndo: Bool, _ now: Timestamp, _ endBatch: ([Entry]) throws -> Void
    ) throws -> [Entry] {
        var entries: [Entry] = []
        var batchBytes = 0
        // The changes together may be large, so they are read one by one.
        for id in try context.ids(request) {
            guard let change = try context.object(of: Change.self, id: id),
                let record = try record(of: change, isFirst: entries.isEmpty)
            else { break }
            let summary = ChangeWords.text(change.method, record)
            let deleted = try ChangeReplay(
                context: context, record: isUndo ? record.reversed : record, summary: summary, now: now
            ) { [unowned self] item in
                item.isReplayed = true
                replayed.append(item)
            }.run()
            keepAlerts(of: deleted, in: change, record, isUndo: isUndo)
            change.isUndone = isUndo
            extent = nil
            entries.append(
                Entry(
                    method: change.method, summary: summary, madeDate: change.madeDate,
                    itemIDs: record.names.filter { $0.entity == ToDo.entityName }.map(\.id)))
            batchBytes += ChangeSizes.size(before: change.before, after: change.after)
            if batchBytes >= Self.bytesPerBatch {
                try endBatch(entries)
                batchBytes = 0
            }
        }
        if entries.isEmpty { throw isUndo ? UndoError.nothingToUndo : .nothingToRedo }
        return entries
    }

    /// Updates the change with the last state of objects that it deleted, so that their alerts are not sent again if
    /// they return.
    private func keepAlerts(
        of deleted: [ObjectSnapshot], in change: Change, _ record: ChangeRecord, isUndo: Bool
    ) {
        guard !deleted.isEmpty else { return }
        var objects = isUndo ? record.after : record.before
        for object in deleted { objects[object.name] = object }
        let text = text(of: objects, record.names)
        if isUndo { change.after = text } else { change.before = text }
        sizes?.record(change.sequence, ChangeSizes.size(before: change.before, after: change.after))
    }

    /// Returns the record of a change, or `nil` if it cannot be read and is not the first.
    ///
    /// - Throws: `UndoError` if the first change cannot be undone.
    private func record(of change: Change, isFirst: Bool) throws -> ChangeRecord? {
        if let record = ChangeRecord(before: change.before, after: change.after, context.model) {
            return record
        }
        guard isFirst else { return nil }
        if let large = LargeChange(change.after) {
            throw UndoError.tooLarge(
                summary: "\(change.method) of \(large.items) items", backup: large.backup)
        }
        throw UndoError.unreadable(method: change.method)
    }
}

/// The stored text of a change that exceeds the undo limit: `{"items":12000,"backup":"/home/ada/…"}`.
private struct LargeChange {
    let items: Int
    let backup: String?

    init(items: Int, backup: String?) {
        self.items = items
        self.backup = backup
    }

    init?(_ text: String?) {
        guard let text, case .object(let object)? = try? JSONParser.parse(text.utf8),
            case .integer(let items)? = object["items"]
        else { return nil }
        self.items = Int(items)
        if case .string(let path)? = object["backup"] { backup = path } else { backup = nil }
    }

    var text: String {
        var members: [(name: String, value: JSON)] = [("items", .integer(Int64(items)))]
        if let backup { members.append(("backup", .string(backup))) }
        return JSON.object(JSONObject(members)).text
    }
}
