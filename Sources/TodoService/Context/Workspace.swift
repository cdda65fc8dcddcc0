internal import Alerts
internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import Systemd
internal import TodoAPI
internal import Varlink

/// The state that handlers share: the store, the clock and the current settings.
final class Workspace {
    /// The queue to which the workspace is confined.
    let queue: DispatchQueue
    let context: ManagedObjectContext
    let changes: ChangeLog
    let store: StoreConfiguration
    private let log: Log
    let now: @Sendable () -> Timestamp
    private let localZone: LocalZone
    var settings: ServiceSettings
    /// Ended when the caller that waits for the changes disconnects.
    private let demand: Demand
    /// Called when changed items are on disk, once for all items that were changed together.
    var whenItemsChanged: () -> Void = {}
    private var haveItemsChanged = false
    /// Called when a background writer has released the store's write lock.
    var whenStoreIsFree: () -> Void = {}
    /// The number of bytes that the reply to the current call may have, or `nil` if only the protocol limits it.
    var replyRoom: Int?
    /// A remark on the last change for the user.
    private(set) var remark: String?
    /// Closes the visible alerts of these items.
    var withdrawAlerts: ([Int64]) -> Void = { _ in }

    init(
        queue: DispatchQueue, context: ManagedObjectContext, store: StoreConfiguration,
        now: @escaping @Sendable () -> Timestamp, zone: LocalZone, settings: ServiceSettings, log: Log,
        demand: Demand = Demand()
    ) {
        self.queue = queue
        self.context = context
        changes = ChangeLog(context: context)
        self.store = store
        self.log = log
        self.now = now
        localZone = zone
        self.settings = settings
        self.demand = demand
    }

    /// Returns a function that creates a workspace with the same settings for another context.
    ///
    /// Changes in that workspace end when `demand` ends.
    func copy(for demand: Demand) -> @Sendable (ManagedObjectContext) -> Workspace {
        { [queue, store, now, localZone, settings, log] context in
            Workspace(
                queue: queue, context: context, store: store, now: now, zone: localZone,
                settings: settings, log: log, demand: demand)
        }
    }

    /// The current time zone of this machine.
    var zone: TimeZoneRules { localZone.current }

    // MARK: - Changing

    /// Makes a change and saves it, together with the record for undo. If any part fails, nothing has changed.
    ///
    /// - Parameters:
    ///   - method: the name of the method that makes the change.
    ///   - joinsAdd: whether it becomes a part of the last change if that one added the same item.
    func change<Result>(
        _ method: String, joinsAdd: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        try changeInLots(method, joinsAdd: joinsAdd) { draft in
            let result = try body()
            try context.noteModifications(at: now())
            try draft.add()
            return result
        }
    }

    /// Makes a change in batches, because it is too large to be in memory at once.
    ///
    /// `body` adds each batch to the draft, and saves all of them except the last. Must be called inside `asWhole`.
    func changeInLots<Result>(
        _ method: String, joinsAdd: Bool = false, _ body: (inout ChangeDraft) throws -> Result
    ) throws -> Result {
        try saving {
            try changes.trim()
            var draft = changes.draft()
            let result = try body(&draft)
            try takeDown(method, &draft, joinsAdd: joinsAdd)
            try goOn()
            return result
        }
    }

    /// Throws if no caller waits for the change any more.
    func goOn() throws { try demand.check() }

    /// Saves the changes that `body` makes, or none of them. If the store is locked, it throws before `body` begins.
    func saving<Result>(_ body: () throws -> Result) throws -> Result {
        try context.coordinator.reserveStores()
        do {
            let result = try body()
            try context.save()
            return result
        } catch {
            context.rollback()
            throw error
        }
    }

    /// Records the change for undo or, if it exceeds the undo limit, makes a safety copy of the store.
    private func takeDown(_ method: String, _ draft: inout ChangeDraft, joinsAdd: Bool) throws {
        remark = nil
        if try changes.note(method, &draft, at: now(), joinsAdd: joinsAdd) { return }
        let count = draft.itemCount
        if let error = context.coordinator.openingError { throw error }
        let copy = try SafetyCopy(store: store).make(before: method, at: now(), goesOn: goOn)
        try changes.noteLarge(method, items: count, backup: copy, at: now())
        let kept = copy.map { "; the store from before the change is kept in \($0)" } ?? ""
        let text = "\(method) of \(count) items cannot be undone\(kept)"
        remark = text
        log.write(.notice, text)
    }

    /// Runs `body` with one COMMIT for all its changes. If that fails, nothing has changed.
    func together<Result>(_ body: () throws -> Result) throws -> Result {
        try tellingOfItems { try context.coordinator.batch(body) }
    }

    /// Runs `body` with one COMMIT for everything that it saves. If it throws, nothing is kept.
    ///
    /// Unlike with `together`, saved objects need not stay in memory.
    func asWhole<Result>(_ body: () throws -> Result) throws -> Result {
        try tellingOfItems { try context.coordinator.transaction(body) }
    }

    private func tellingOfItems<Result>(_ work: () throws -> Result) throws -> Result {
        let result: Result
        do {
            result = try work()
        } catch {
            haveItemsChanged = false
            context.rollback()
            throw error
        }
        if haveItemsChanged {
            haveItemsChanged = false
            whenItemsChanged()
        }
        return result
    }

    /// Records that the due items may be different now.
    func itemsDidChange() { haveItemsChanged = true }

    // MARK: - Finding

    /// Returns the items with these IDs, in this order.
    ///
    /// - Throws: `ItemNotFound` with all missing IDs, or `TooLarge`, which limits the memory that is used at once.
    func items(_ ids: [Int64]) throws -> [ToDo] {
        guard !ids.isEmpty else { throw APIError.invalidValue(field: "ids", reason: "'ids' is empty") }
        guard ids.count <= ItemIDs.limit else {
            throw APIError.invalidValue(field: "ids", reason: "there are more than \(ItemIDs.limit)")
        }
        var missing: [Int64] = []
        var seen: Set<Int64> = []
        var items: [ToDo] = []
        var replyBytes = 0
        for id in ids where ids.count == 1 || seen.insert(id).inserted {
            if let item = try context.object(of: ToDo.self, id: id) {
                items.append(item)
                replyBytes += ids.count == 1 ? 0 : Self.replyBytes(for: item)
                guard replyBytes <= ItemIDs.replyBytesLimit else {
                    throw APIError.tooLarge(limit: Int64(ItemIDs.replyBytesLimit))
                }
            } else {
                missing.append(id)
            }
        }
        guard missing.isEmpty else { throw APIError.itemNotFound(ids: missing) }
        return items
    }

    /// Throws if the reply to a change of these items would be too long.
    ///
    /// Must be called before the change is saved: a client must not get an error for a change that was made.
    func requireRoomForReply(with items: [ToDo]) throws(APIError) {
        let bytes = items.reduce(0) { $0 + Self.replyBytes(for: $1) }
        guard items.count == 1 || bytes <= ItemIDs.replyBytesLimit else {
            throw .tooLarge(limit: Int64(ItemIDs.replyBytesLimit))
        }
        guard bytes <= replyRoom ?? .max else {
            throw .invalidMessage(
                reason:
                    "there is no room for the reply, because clients have not read theirs; nothing was changed. "
                    + "Change fewer items at once, or close other connections")
        }
    }

    /// Returns the approximate size of an item in a reply: its texts as JSON, and room for the rest.
    private static func replyBytes(for item: ToDo) -> Int {
        var writer = JSONWriter()
        writer.value(item.name)
        if let notes = item.notes { writer.value(notes) }
        return writer.count + 512
    }

    /// Returns the category with this name. Case is ignored.
    func category(named name: String) throws -> Category {
        if let category = try findCategory(named: name) { return category }
        let names = try context.fetch(FetchRequest<Category>()).map(\.name)
        let nearest = EditDistance.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
        throw APIError.categoryNotFound(name: name, similar: names.filter { $0.lowercased() == nearest })
    }

    func findCategory(named name: String) throws -> Category? {
        let request = FetchRequest<Category>(matching: try FetchPredicate("name ==[c] %@", name), limit: 1)
        return try context.fetch(request).first
    }

    // MARK: - Reading what a client sent

    /// Returns the text of a name without the spaces around it.
    ///
    /// - Throws: `InvalidValue` if the name has no visible character, or if it is too long.
    static func name(_ text: String, field: String, lengths: ClosedRange<Int>) throws(APIError) -> String {
        let isSpace = { (character: Character) in character.isWhitespace }
        var name = text.drop(while: isSpace)
        while let last = name.last, isSpace(last) { name.removeLast() }
        if name.isEmpty { throw .invalidValue(field: field, reason: "it is empty") }
        guard name.isVisible else {
            throw .invalidValue(field: field, reason: "it has only invisible characters")
        }
        guard lengths.contains(name.unicodeScalars.count) else {
            throw .invalidValue(field: field, reason: "it is longer than \(lengths.upperBound) characters")
        }
        return String(name)
    }
}

extension Item {
    /// Creates the item that the API shows.
    ///
    /// - Parameter local: the zone for an item without a zone of its own.
    init(_ toDo: ToDo, _ local: TimeZoneRules) {
        self.init()
        id = toDo.id
        uid = toDo.uid
        name = toDo.name
        notes = toDo.notes
        priority = Int64(toDo.priority)
        due = toDo.dueDate
        if let rule = toDo.schedule.rule {
            recurrence = rule.text
            every = rule.words(
                due: toDo.dueDate, in: toDo.timeZone.flatMap(TimeZoneRules.init(named:)) ?? local)
            afterDone = toDo.repeatFromCompletion
            occurrencesDone = rule.count == nil ? nil : Int64(toDo.occurrencesDone)
            timeZone = toDo.timeZone
        }
        completed = toDo.completed
        muted = toDo.doNotAlert
        category = toDo.category?.name
        categoryMuted = toDo.category?.doNotAlert == true ? true : nil
        leads = toDo.alarms.map { Int64($0.offset) }.sorted(by: >)
        snoozedUntil = toDo.snoozedUntil
        nextAlert = toDo.nextAlertDate
        lastAlert = toDo.lastAlertDate
        createdAt = toDo.createdDate
        modifiedAt = toDo.modifiedDate
        completedAt = toDo.completedDate
    }
}
