internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import Varlink

/// Imports the items of a file into the context. Items with a known `uid` are changed, others are added.
///
/// Nothing is saved here. The caller saves when a batch is full, and then calls `endBatch`. A file that was imported
/// before changes nothing. If an item has two states, the one that was modified last stays, with the sent alerts of
/// both.
final class ItemImporter {
    /// The number of items, categories and tags, or bytes of texts, that are in memory before they are saved.
    private static let batchLimits = (items: 500, bytes: 1 << 20)
    /// The approximate size of a completion in memory.
    private static let bytesPerCompletion = 256

    private let service: ServiceContext
    /// The category of the new items that have none in the file.
    private let defaultCategory: String?
    private let columns: ExportedColumns
    private var categories: CategoryImporter
    private var tags: TagImporter
    private var itemReply = Import.Reply()
    private var remarks = ImportNotes()
    /// The items of the batch, which are saved exactly as they are in the file.
    private var filled: [ToDo] = []
    /// The approximate size of the texts and the completions of these items.
    private var filledBytes = 0
    /// The number of categories and tags in the batch.
    private var takenNames = 0
    /// The items that the file has named.
    private var seen: Set<Int64> = []
    /// The items that an occurrence of the file has moved on.
    private var movedOn: Set<Int64> = []
    /// The rules of the completed occurrences in the file, as they are written, by the identifiers of the items.
    private var copiedRules: [String: String] = [:]
    /// The items that wait for others of the file, because these are their parents or blockers.
    private var deferred: [ImportedObject<ExportedItem>] = []
    /// Whether time zones of these names exist.
    private var knowsZones: [String: Bool] = [:]

    init(service: ServiceContext, defaultCategory: String?) throws {
        self.service = service
        self.defaultCategory = defaultCategory
        columns = ExportedColumns(service.store.context.model)
        categories = try CategoryImporter(service: service)
        tags = TagImporter(service: service)
    }

    /// Whether the batch has to be saved.
    var isBatchFull: Bool {
        filled.count + takenNames >= Self.batchLimits.items || filledBytes >= Self.batchLimits.bytes
    }

    /// Ends a batch. Must be called after each save, or if there is none.
    func endBatch() {
        for item in filled {
            item.isRestored = false
            item.keepsSnooze = false
        }
        filled.removeAll(keepingCapacity: true)
        filledBytes = 0
        takenNames = 0
    }

    /// Adds a remark for the caller.
    func remark(_ text: String) { remarks.append(text) }

    /// The reply so far, without the remarks.
    var progress: Import.Reply {
        var reply = itemReply
        reply.categoriesAdded = categories.added
        reply.categoriesUpdated = categories.updated
        reply.tagsAdded = tags.added == 0 ? nil : tags.added
        reply.tagsUpdated = tags.updated == 0 ? nil : tags.updated
        return reply
    }

    var reply: Import.Reply {
        var reply = progress
        reply.remarks = remarks.all
        return reply
    }

    func take(_ imported: ImportedObject<ExportedCategory>) throws {
        try categories.take(imported.body, field: "\(imported.place).name").map(remark)
        takenNames += 1
    }

    func take(_ imported: ImportedObject<ExportedTag>) throws {
        try tags.take(imported.body, field: "\(imported.place).name").map(remark)
        takenNames += 1
    }

    func take(_ imported: ImportedObject<ExportedView>) throws {
        try imported.body.take(in: service, field: "\(imported.place).name").map(remark)
        takenNames += 1
    }

    /// Imports an item, or keeps it for `takeDeferred` if its parent or a blocker may come later in the file.
    func take(_ imported: ImportedObject<ExportedItem>) throws {
        if try !take(imported, waiting: nil) { deferred.append(imported) }
    }

    /// Imports the items that wait for others. The order of the items in a file has no meaning.
    ///
    /// - Parameter endBatch: called after each item.
    func takeDeferred(_ endBatch: () throws -> Void) throws {
        var circles = 0
        while !deferred.isEmpty {
            if try takeInOrder(endBatch) { continue }
            // Every item waits for one that does not come, or for a circle.
            let waiting = Set(deferred.map(\.body.item.uid))
            var last = deferred.filter { item in !item.body.item.relatedUIDs.contains(where: waiting.contains)
            }
            circles += last.isEmpty ? 1 : 0
            if last.isEmpty { last = circles > Self.circlesLimit ? deferred : [Self.circle(among: deferred)] }
            let uids = Set(last.map(\.body.item.uid))
            deferred.removeAll { uids.contains($0.body.item.uid) }
            for item in last {
                try service.changes.checkCancelled()
                _ = try take(item, waiting: waiting)
                try endBatch()
            }
        }
    }

    /// Imports the items that wait, each after those for which it waits. Those that cannot be imported yet remain.
    ///
    /// - Returns: whether any item was imported.
    private func takeInOrder(_ endBatch: () throws -> Void) throws -> Bool {
        let items = deferred
        deferred = []
        let uids = Set(items.map(\.body.item.uid))
        /// The items that wait for each one, and the number of those for which each waits.
        var followers: [String: [Int]] = [:]
        var counts = items.map { item in
            item.body.item.relatedUIDs.count(where: uids.contains)
        }
        for (index, item) in items.enumerated() {
            for uid in item.body.item.relatedUIDs where uids.contains(uid) {
                followers[uid, default: []].append(index)
            }
        }
        var ready = items.indices.filter { counts[$0] == 0 }
        var next = 0
        var isAnyTaken = false
        while next < ready.count {
            let item = items[ready[next]]
            next += 1
            try service.changes.checkCancelled()
            guard try take(item, waiting: nil) else {
                deferred.append(item)
                continue
            }
            isAnyTaken = true
            try endBatch()
            for follower in followers.removeValue(forKey: item.body.item.uid) ?? [] {
                counts[follower] -= 1
                if counts[follower] == 0 { ready.append(follower) }
            }
        }
        deferred += items.indices.filter { counts[$0] > 0 }.map { items[$0] }
        return isAnyTaken
    }

    /// The number of circles that are opened at the best place. Each needs a search of all items that wait.
    private static let circlesLimit = 100

    /// Returns an item that is a part of a circle.
    private static func circle(among items: [ImportedObject<ExportedItem>]) -> ImportedObject<ExportedItem> {
        let known = Dictionary(items.map { ($0.body.item.uid, $0) }) { first, _ in first }
        var item = items[0]
        var seen: Set<String> = []
        while seen.insert(item.body.item.uid).inserted {
            let body = item.body.item
            let next = ([body.parent].compactMap(\.self) + body.blockers).compactMap { known[$0] }.first
            guard let next else { break }
            item = next
        }
        return item
    }

    /// Imports an item.
    ///
    /// - Parameter waiting: the identifiers of all items that still wait, so that relations to them are omitted, or `nil` if
    ///   this item can wait, too.
    /// - Returns: whether the item did not have to wait.
    private func take(_ imported: ImportedObject<ExportedItem>, waiting: Set<String>?) throws -> Bool {
        var exported = imported.body
        let field = imported.place
        if case .todoTxtOccurrence(let line) = exported.origin {
            try completeOccurrence(exported.item, itemLine: line, place: field)
            return true
        }
        try exported.check(field: field)
        exported.item.setMomentsOfLocalTimes(in: service.times.zone)
        let known = try service.store.context.object(
            of: ToDo.self, matching: \.uid, equals: exported.item.uid)
        if exported.origin == .todoist, let known {
            try checkOnlyOne(known, field: field)
            itemReply.unchanged += 1
            return true
        }
        var relations = try ImportedRelations(
            of: exported.item, known: known, in: service.store.context, waiting: waiting ?? [])
        if !relations.problems.isEmpty {
            guard waiting != nil else { return false }
            for problem in relations.problems {
                remark("\(imported.shownPlace ?? field): '\(exported.item.name)': \(problem)")
            }
            exported.item.parent = relations.parent?.uid
            exported.item.blockers = relations.blockers.map(\.uid).sorted()
        }
        let toDo = try known ?? service.store.context.insertToDo(at: service.times.now())
        try checkOnlyOne(toDo, field: field)
        exported.item.name = try name(of: exported, field: "\(field).name")
        remarkOnZone(of: exported.item)
        exported.endVoidSnooze(at: service.times.now(), known: known?.snoozedUntil)
        guard let known else {
            exported.item.category = exported.item.category ?? defaultCategory
            try fill(toDo, with: exported, relations, field: field)
            itemReply.added += 1
            return true
        }
        var present = ExportedItem(known, columns)
        if exported.item.isPartial { exported.item.complete(from: present.item) }
        switch exported.origin {
        case .todoTxt:
            exported.item.completeLine(
                from: present.item, copiedRule: copiedRules[known.uid], in: service.times.zone)
        case .taskwarrior: exported.item.completeTask(from: present.item, in: service.times.zone)
        case .todoTxtOccurrence, .todoist, nil: break
        }
        try keepSynchronizedCategory(of: known, in: &exported)
        if exported.item.category == nil, let defaultCategory,
            present.item.category?.caseFolded == defaultCategory.caseFolded
        {
            exported.item.category = present.item.category
        }
        exported.item.addMissing(from: present.item)
        relations = try ImportedRelations(of: exported.item, known: known, in: service.store.context)
        exported.item.tags = try exported.item.tags.map { try tags.known(named: $0)?.name ?? $0 }
        // Two names in the file can mean one tag.
        exported.item.tags = Set(exported.item.tags).sorted()
        keepSnooze(of: present, in: &exported)
        Self.endSnoozes(file: &exported, store: &present)
        if let category = exported.item.category.flatMap(categories.known) {
            exported.item.category = category.name
        }
        if isSame(exported, present) {
            guard exported.hasSentAlerts(missingIn: present) else {
                if !movedOn.contains(known.id) { itemReply.unchanged += 1 }
                return true
            }
            exported.item = present.item
        } else if isOver(exported, here: known) {
            itemReply.unchanged += 1
            return true
        } else if isOlder(exported.item, than: known) {
            itemReply.older += 1
            return true
        }
        exported.addAlertState(of: present)
        try fill(known, with: exported, relations, field: field)
        if !movedOn.contains(known.id) { itemReply.updated += 1 }
        return true
    }

    /// Keeps an item in its synchronized list, because its task would be deleted on the server. Only a category that the file
    /// names, and that is no guess, moves the item.
    private func keepSynchronizedCategory(of known: ToDo, in exported: inout ExportedItem) throws {
        let named = exported.item.category
        guard named == nil || exported.item.isCategoryGuessed, let category = known.category,
            try !category.syncLists.all().isEmpty
        else { return }
        if let named {
            var remarks = TagRemarks()
            exported.item.setTags(ofOtherProgram: [named] + exported.item.tags, &remarks, line: 0)
        }
        exported.item.category = category.name
    }

    /// Completes the open occurrence of a known item if it has the due time of a done line.
    ///
    /// - Parameter itemLine: the number of the line of the item itself.
    private func completeOccurrence(_ occurrence: ExchangeItem, itemLine: Int, place: String) throws {
        let zone = service.times.zone
        let writer = TodoTxtWriter(zone: zone)
        copiedRules[occurrence.uid] = writer.recurrence(of: occurrence)
        let known = try service.store.context.object(
            of: ToDo.self, matching: \.uid, equals: occurrence.uid)
        let present = known.map { ExportedItem($0, columns).item }
        guard let known, let present, !known.completed, present.recurrence != nil,
            writer.due(of: present) == writer.due(of: occurrence)
        else {
            remark("\(place): omitted: it is a past time of the item of line \(itemLine)")
            return
        }
        if movedOn.insert(known.id).inserted { itemReply.updated += 1 }
        try known.completeOccurrenceWithSubtasks(
            at: occurrence.completedDate ?? service.times.now(), in: zone)
        filled.append(known)
    }

    /// - Throws: an error if another item of the file has the same identifier.
    private func checkOnlyOne(_ item: ToDo, field: String) throws(APIError) {
        guard seen.insert(item.id).inserted else {
            throw .invalidValue(field: "\(field).uid", reason: "another item of the file has it too")
        }
    }

    /// Returns the name to save.
    ///
    /// A file with the complete item has the exact name. In other files, spaces around the name have no meaning.
    private func name(of exported: ExportedItem, field: String) throws(APIError) -> String {
        let name = exported.item.name
        let lengths = ReminderModel.nameLengths
        if exported.alertState != nil || exported.item.hasExactName,
            lengths.contains(name.unicodeScalars.count)
        {
            return name
        }
        return try TypedValue.name(name, field: field, lengths: lengths)
    }

    private func fill(
        _ toDo: ToDo, with exported: ExportedItem, _ relations: ImportedRelations, field: String
    ) throws {
        let category = try exported.item.category.map {
            try categories.category(named: $0, field: "\(field).category")
        }
        let tags = try tags.tags(named: exported.item.tags)
        let wasOpen = !toDo.isInserted && !toDo.completed
        var exported = exported
        try exported.fill(
            toDo, columns, category: category, tags: tags, relations: relations, in: service.times.zone)
        filled.append(toDo)
        filledBytes += toDo.textBytes + exported.item.history.count * Self.bytesPerCompletion
        if wasOpen, toDo.completed, !toDo.isCancelled, exported.alertState == nil { try moveOn(toDo) }
    }

    private func remarkOnZone(of item: ExchangeItem) {
        guard let zone = item.timeZone else { return }
        let isKnown = knowsZones[zone] ?? (TimeZoneRules(named: zone) != nil)
        knowsZones[zone] = isKnown
        if isKnown { return }
        remark("'\(item.name)': the time zone '\(zone)' is unknown; the local time zone is used")
    }

    // MARK: - Comparing

    /// Keeps the snooze of the item if the file lacks it, and neither has another due time nor was changed later.
    ///
    /// A snooze is no change of an item, so a file that was written before it is not older.
    private func keepSnooze(of present: ExportedItem, in file: inout ExportedItem) {
        guard file.alertState == nil, file.item.snoozedUntil == nil, !file.item.isCompleted,
            file.item.due == present.item.due || isCut(file.item.due, of: present.item.due)
        else { return }
        let isLater =
            switch (file.item.modifiedDate, present.item.modifiedDate) {
            case (let there?, let here?): there > here
            default: false
            }
        if !isLater || !file.item.isSnoozeKnown { file.item.snoozedUntil = present.item.snoozedUntil }
    }

    /// Ends a snooze that has ended in one of the two states.
    private static func endSnoozes(file: inout ExportedItem, store: inout ExportedItem) {
        if file.item.snoozedUntil == nil, store.hasSnoozed(until: file.lastAlert) {
            store.item.snoozedUntil = nil
        } else if store.item.snoozedUntil == nil, file.hasSnoozed(until: store.lastAlert) {
            file.item.snoozedUntil = nil
        }
    }

    private func isOlder(_ item: ExchangeItem, than known: ToDo) -> Bool {
        guard let written = item.modifiedDate else { return false }
        return written < known.modifiedDate && !isCut(written, of: known.modifiedDate)
    }

    /// Whether an item that is completed in the file was completed here for the same occurrence, and has moved on
    /// since.
    private func isOver(_ exported: ExportedItem, here known: ToDo) -> Bool {
        let item = exported.item
        guard item.isCompleted, !item.isCancelled, item.recurrence != nil, !known.completed else {
            return false
        }
        guard exported.alertState == nil, let there = item.due, let here = known.dueDate else { return false }
        return there < here
    }

    /// Moves a repeating item that was open here, and is completed in the file, to its next occurrence.
    ///
    /// Other programs use the same word for one completed occurrence and for the whole item.
    private func moveOn(_ toDo: ToDo) throws {
        try toDo.completeOccurrenceWithSubtasks(
            at: toDo.completedDate ?? service.times.now(), in: service.times.zone)
    }

    /// Whether both states are the same for the user. Values that the file of another program lacks count as the same.
    private func isSame(_ file: ExportedItem, _ store: ExportedItem) -> Bool {
        var (file, store) = (file, store)
        if file.item.occurrencesDone == nil { store.item.occurrencesDone = nil }
        if store.item.recurrence != nil, store.item.recurrenceStart == nil {
            // The rule then counts from the due time, which another program has to write.
            store.item.recurrenceStart = file.item.recurrenceStart.flatMap {
                $0 == file.item.ruleDue ? $0 : nil
            }
        }
        (file.lastAlert, store.lastAlert) = (nil, nil)
        (file.alertState, store.alertState) = (nil, nil)
        let dates: [WritableKeyPath<ExchangeItem, Timestamp?>] = [
            \.createdDate, \.modifiedDate, \.completedDate, \.due, \.start, \.recurrenceStart, \.snoozedUntil,
        ]
        for date in dates where isCut(file.item[keyPath: date], of: store.item[keyPath: date]) {
            store.item[keyPath: date] = file.item[keyPath: date]
        }
        if file.item.acknowledged == nil { store.item.acknowledged = nil }
        if file.item.createdDate == nil { store.item.createdDate = nil }
        if file.item.modifiedDate == nil { store.item.modifiedDate = nil }
        return bytes(of: file) == bytes(of: store)
    }

    /// Whether a format without fractions of a second has truncated one time to the other.
    private func isCut(_ written: Timestamp?, of known: Timestamp?) -> Bool {
        guard let written, let known else { return false }
        return written.secondsSince1970 == known.secondsSince1970.rounded(.down)
    }

    private func bytes(of exported: ExportedItem) -> [UInt8] {
        var writer = JSONWriter()
        exported.write(to: &writer, zone: .utc)
        return writer.bytes
    }
}
