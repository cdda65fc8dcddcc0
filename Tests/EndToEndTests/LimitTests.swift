import Foundation
import Phrases
import Reminders
import Testing
import TodoAPI
import Varlink
import VarlinkServer

@testable import ObjectStore
@testable import TodoService

/// The limits of the API. Each has the constant that sets it, the test that reaches it, and its row in the
/// documentation.
@Suite struct LimitTests {
    private struct Limit {
        let constants: [String]
        let test: String
        let what: String
        let value: String
        let beyond: String

        init(_ constants: String..., test: String, _ what: String, _ value: String, _ beyond: String) {
            self.constants = constants
            self.test = test
            self.what = what
            self.value = value
            self.beyond = beyond
        }

        var line: String { "| \(what) | \(value) | \(beyond) |" }
    }

    private static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }

    private static let limits = [
        Limit(
            "FrameDecoder.messageBytesLimit", test: "unterminatedMessageIsRefusedAtLimit", "a message",
            size(FrameDecoder.messageBytesLimit), "`InvalidMessage`, closed"),
        Limit(
            "JSONParser.nestingLimit", test: "nestingHasALimit", "nesting of a message",
            "\(JSONParser.nestingLimit) levels", "`InvalidMessage`, closed"),
        Limit(
            "Server.connectionsLimit", test: "excessConnectionIsRefusedWithError", "connections at once",
            "\(Server.connectionsLimit)", "`InvalidMessage`, closed"),
        Limit(
            "FrameDecoder.messageBytesLimit", test: "pipelinedCallsAreReadUpToLimit",
            "calls that were sent ahead of the answers", size(FrameDecoder.messageBytesLimit),
            "the others wait in the socket"),
        Limit(
            "Server.callsPerTurnLimit", test: "callsBeyondLimitGetAnotherTurn", "calls that share one write",
            "\(Server.callsPerTurnLimit)", "the others share the next"),
        Limit(
            "Server.turnMillisecondsLimit", test: "longCallsEndTheirTurn",
            "time of the calls that share one write",
            "\(Server.turnMillisecondsLimit) ms", "the others share the next"),
        Limit(
            "Server.listenersLimit", test: "listenersLeaveRoomForShortCalls",
            "connections with replies without an end, such as `Watch`", "\(Server.listenersLimit)",
            "`InvalidMessage`, closed"),
        Limit(
            "Server.crowdedIdleSecondsLimit", test: "newConnectionReplacesTheLongestIdleOne",
            "time without a call or a reply while all connections are taken",
            "\(Server.crowdedIdleSecondsLimit) s", "the longest idle one is closed for a new one"),
        Limit(
            "Server.heldBytesLimit", test: "unreadRepliesOfAllConnectionsAreBounded",
            "replies that clients have not read, of all connections", size(Server.heldBytesLimit),
            "only clients that read are served; a longer reply is `InvalidMessage`, closed, and a change with one is refused"
        ),
        Limit(
            "ServerConnection.unsentBytesLimit", test: "inputStopsWhileRepliesAreUnread",
            "replies that the client has not read", size(ServerConnection.unsentBytesLimit),
            "it is read no further until it has"),
        Limit(
            "Server.idleSecondsLimit", test: "idleConnectionIsClosedButListenerIsKept",
            "time without a call or a reply", "\(Server.idleSecondsLimit / 60) minutes",
            "closed; a client that watches is not idle"),
        Limit(
            "Server.idleSecondsLimit", test: "occasionalBytesDoNotKeepConnection",
            "time from the first byte of a message to its last",
            "\(Server.idleSecondsLimit / 60) minutes", "closed"),
        Limit(
            "ListItems.secondsLimit", test: "slowStreamEndsWithError",
            "time for all of a list",
            "\(ListItems.secondsLimit) s", "`TooSlow`"),
        Limit(
            "ListItems.replyBytesLimit", test: "listTooLongForOneReplyNeedsMore",
            "a reply with a list, without `more`", size(ListItems.replyBytesLimit),
            "`org.varlink.service.ExpectedMore`"),
        Limit(
            "ListItems.whereBytesLimit", "ListItems.argumentsLimit", "PredicateLimits.nodes",
            test: "listNamesTheWrongField", "`where`",
            "\(size(ListItems.whereBytesLimit)), \(ListItems.argumentsLimit) arguments, "
                + "[\(PredicateLimits.nodes) parts](predicates.md)", "`InvalidValue`, `InvalidPredicate`"),
        Limit(
            "ListItems.orderKeysLimit", test: "listNamesTheWrongField", "keys of `order`",
            "\(ListItems.orderKeysLimit)", "`InvalidValue`"),
        Limit(
            "ListItems.wordsLimit", test: "listNamesTheWrongField", "words of `text` in a list",
            "\(ListItems.wordsLimit)", "`InvalidValue`"),
        Limit(
            "ItemIDs.limit", test: "idsBeyondTheLimitAreRefused", "`ids` of a call", "\(ItemIDs.limit)",
            "`InvalidValue`"),
        Limit(
            "ListHistory.idsLimit", test: "idsOfHistoryBeyondTheLimitAreRefused", "`ids` of `ListHistory`",
            "\(ListHistory.idsLimit)", "`InvalidValue`"),
        Limit(
            "ItemIDs.replyBytesLimit", test: "itemsTooLongForAReplyAreRefused",
            "a reply with the items of a call", size(ItemIDs.replyBytesLimit), "`TooLarge`"),
        Limit(
            "DatePhrase.bytesLimit", test: "longTextIsRefusedPromptly", "a time as it is typed",
            "\(DatePhrase.bytesLimit) bytes", "`InvalidDate`"),
        Limit(
            "RecurrenceRule.lengthLimit", "RecurrenceRule.timesADayLimit", "RecurrenceRule.countLimit",
            "RecurrenceRule.yearsLimit", test: "rulesAreRefusedBeyondTheirLimits", "`every`",
            "\(RecurrenceRule.lengthLimit) characters, \(RecurrenceRule.timesADayLimit) times a day, "
                + "`COUNT` of \(RecurrenceRule.countLimit), no gap of \(RecurrenceRule.yearsLimit) years",
            "`InvalidRecurrence`"),
        Limit(
            "Import.textBytesLimit", test: "textBeyondTheLimitIsRefused",
            "the text of an import, in all its parts", size(Import.textBytesLimit), "`InvalidValue`"),
        Limit(
            "Import.heldBytesLimit", test: "importsTogetherAreLimited",
            "texts of imports that have not come to their end, of all connections",
            size(Import.heldBytesLimit), "`InvalidValue`"),
        Limit(
            "Import.remarksLimit", test: "remarksBeyondTheLimitAreCounted", "remarks of an import",
            "\(Import.remarksLimit)", "counted"),
        Limit(
            "ReminderModel.nameLengths", "ReminderModel.categoryNameLengths", "ReminderModel.tagNameLengths",
            test: "namesBeyondTheLimitAreRefused", "a name, of an item, or of a category or a tag",
            "\(ReminderModel.nameLengths.upperBound), \(ReminderModel.categoryNameLengths.upperBound) characters",
            "`InvalidValue`"),
        Limit(
            "ReminderModel.uidLengths", test: "namesBeyondTheLimitAreRefused", "the `uid` of an import",
            "\(ReminderModel.uidLengths.upperBound) characters", "`InvalidValue`"),
        Limit(
            "Item.notesBytesLimit", test: "notesBeyondTheLimitAreRefused", "the `notes` of an import",
            size(Item.notesBytesLimit), "`InvalidValue`"),
        Limit(
            "Item.leadsLimit", test: "leadTimesBeyondTheLimitAreRefused", "leads of an item",
            "\(Item.leadsLimit)",
            "`InvalidValue`"),
        Limit(
            "Item.alertsLimit", "ReminderModel.alarmsLimit", test: "tooManyAlertsAreRefused",
            "alerts of an item",
            "\(Item.alertsLimit)", "`InvalidValue`"),
        Limit(
            "ICalendarKeptText.bytesLimit", test: "keptTextHasALimit",
            "the text of iCalendar that an item keeps", size(ICalendarKeptText.bytesLimit),
            "omitted by an import, with a remark"),
        Limit(
            "ICalendarReader.occurrencesLimit", test: "singleTimesBeyondTheLimitAreOmitted",
            "excluded, added and changed times of a task in iCalendar", "1000 of each",
            "omitted by an import, with a remark"),
        Limit(
            "SyncText.bytesLimit", test: "textThatIsTooLargeIsNotSent",
            "the text of a task on a CalDAV server", size(SyncText.bytesLimit),
            "neither read nor sent, with a remark in `todoctl sync status`"),
        Limit(
            "SyncText.messageBytesLimit", test: "textThatIsTooLargeIsNotSent",
            "the text of a task on a CalDAV server in JSON, which has more for control characters",
            size(SyncText.messageBytesLimit), "neither read nor sent, with a remark in `todoctl sync status`"),
        Limit(
            "Part.depthLimit", test: "deepComponentIsRefusedByLine",
            "components of iCalendar inside of each other",
            "100", "`InvalidValue`, with the line"),
        Limit(
            "ReminderModel.tagsLimit", test: "itemHasLimitedTags", "tags of an item",
            "\(ReminderModel.tagsLimit)", "`InvalidValue`, with the item and the field"),
        Limit(
            "ReminderModel.linksLimit", test: "linksBeyondTheLimitsAreRefused", "links of an item",
            "\(ReminderModel.linksLimit)", "`InvalidValue`, with the item and the field"),
        Limit(
            "ReminderModel.levelsLimit", test: "levelsAndSubtasksBeyondTheLimitsAreRefused",
            "levels of items, the item without a parent included", "\(ReminderModel.levelsLimit)",
            "`InvalidValue`, with the item and the field; an import omits the parent with a remark"),
        Limit(
            "ReminderModel.childrenLimit", test: "levelsAndSubtasksBeyondTheLimitsAreRefused",
            "subtasks directly below an item", "\(ReminderModel.childrenLimit)",
            "`InvalidValue`, with the item and the field; an import omits the parent with a remark"),
        Limit(
            "ReminderModel.blockersLimit", test: "levelsAndSubtasksBeyondTheLimitsAreRefused",
            "blockers of an item", "\(ReminderModel.blockersLimit)",
            "`InvalidValue`, with the field; an import omits others with a remark"),
        Limit(
            "ReminderModel.urlLengths", "LinkValue.titleLengthLimit",
            "LinkValue.mediaTypeLengthLimit", test: "linksBeyondTheLimitsAreRefused",
            "a URL, and the title and the media type of a link",
            "\(ReminderModel.urlLengths.upperBound), \(LinkValue.titleLengthLimit) and \(LinkValue.mediaTypeLengthLimit) characters",
            "`InvalidValue`"),
        Limit(
            "ChangeLog.limit", "ChangeCount.limit", "ChangeLog.bytesLimit",
            test: "longChangesAreDroppedEarlier",
            "changes that can be undone", "\(ChangeLog.limit), \(size(ChangeLog.bytesLimit)) in all",
            "`NothingToUndo`"),
        Limit(
            "ChangeLog.itemsLimit", "ChangeLog.changeBytesLimit", test: "changeBeyondLimitIsNotRecorded",
            "one of them", "\(ChangeLog.itemsLimit) items, \(size(ChangeLog.changeBytesLimit))",
            "`NothingToUndo`, with a copy of the store"),
        Limit(
            "SafetyCopy.countLimit", test: "changeBeyondUndoLimitLeavesSafetyCopy", "such copies",
            "\(SafetyCopy.countLimit)", "the oldest goes"),
        Limit(
            "BlockedCalls.secondsLimit", test: "failedWriteIsRefusedAndChangesNothing",
            "time that a change waits for another program which has the store locked",
            "\(Int(BlockedCalls.secondsLimit)) s", "`StoreFailure`"),
        Limit(
            "Evaluate.alertsLimit", "Evaluate.namesBytesLimit", test: "alertsBeyondTheLimitAreCounted",
            "alerts that a reply names", "\(Evaluate.alertsLimit), about \(size(Evaluate.namesBytesLimit))",
            "counted in `more`"),
        Limit(
            "Watch.pendingLimit", test: "watchOfSlowClientEndsWithoutDelayingOthers",
            "alerts that a watcher has not taken and, in an XML or binary store, changes, and their items",
            "\(Watch.pendingLimit)", "`TooSlow`"),
        Limit(
            "Watch.changesLimit", test: "watchReportsManyChangesAsOneEvent",
            "changed items that a watcher gets together", "\(Watch.changesLimit)", "the event `many`"),
        Limit(
            "Watch.historyDaysLimit", "Watch.historyChangesLimit", test: "tokenOfPurgedChangesIsTooOld",
            "changes that are kept for `since` of `Watch`",
            "\(Watch.historyDaysLimit) days, \(Watch.historyChangesLimit) changes", "`TokenTooOld`"),
    ]

    /// Limits that no client of the daemon reaches.
    private static let others: Set = [
        "AddSyncAccountHandler.lengthLimit", "ListSyncConflictsHandler.conflictsLimit",
        "ListSyncEntriesHandler.entriesLimit",
        "UnixAddress.pathBytesLimit", "ClientConnection.replyBytesLimit", "ChangeWords.nameLengthLimit",
        "ICalendarText.lineBytesLimit", "AlertRule.rivalsLimit", "EditDistance.wordBytesLimit",
        "EditDistance.comparisonsLimit", "ReminderModel.personNameLengths", "ItemImporter.circlesLimit",
    ]

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func sources(_ directories: [String]) throws -> [(name: String, text: String)] {
        try directories.flatMap { directory in
            try FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: directory).path)
                .filter { $0.hasSuffix(".swift") }.map { path in
                    let url = repository.appending(path: "\(directory)/\(path)")
                    let name = url.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }
                    return (String(name), try String(contentsOf: url, encoding: .utf8))
                }
        }
    }

    // MARK: - Completeness

    @Test func everyLimitHasADocumentedRowAndATest() throws {
        let parts = ["Handlers", "Lists", "Exchange", "Watching"].map { "Sources/TodoService/\($0)" }
        let directories = [
            "Sources/Varlink", "Sources/VarlinkServer", "Sources/TodoAPI", "Sources/Reminders",
            "Sources/Phrases",
        ]
        var found: Set<String> = []
        for source in try Self.sources(directories + parts) {
            for match in source.text.matches(of: #/static let (\w*([lL]imit|Lengths))\b/#) {
                // Several types can share a file.
                let type = source.text[..<match.range.lowerBound].matches(of: #/(?:enum|struct|class) (\w+)/#)
                    .last
                found.insert("\(type.map { String($0.1) } ?? source.name).\(match.1)")
            }
        }
        let named = Set(Self.limits.flatMap(\.constants))
        #expect(found.subtracting(named).subtracting(Self.others) == [])
        #expect(
            named.subtracting(found) == [
                "PredicateLimits.nodes", "SafetyCopy.countLimit", "BlockedCalls.secondsLimit",
            ])
        let tests = try Self.sources(["Tests"]).map(\.text).joined()
        for limit in Self.limits {
            #expect(tests.contains("func \(limit.test)("), "\(limit.constants)")
        }
    }

    @Test func documentedLimitsEqualTheConstants() throws {
        let page = Self.repository.appending(path: "docs/protocol.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let heading = "| what | limit | beyond it |\n| --- | --- | --- |\n"
        let start = try #require(text.range(of: heading)).upperBound
        let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
        let wanted = Self.limits.map(\.line).joined(separator: "\n")
        if ProcessInfo.processInfo.environment["TODOD_WRITE_DOCS"] != nil {
            try text.replacingCharacters(in: start..<end, with: wanted).write(
                to: page, atomically: true, encoding: .utf8)
        } else {
            #expect(text[start..<end] == wanted)
        }
    }

    // MARK: - Limits of the daemon

    private func repeated(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test func namesBeyondTheLimitAreRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for (method, limit) in [
            ("AddItem", ReminderModel.nameLengths.upperBound),
            ("AddCategory", ReminderModel.categoryNameLengths.upperBound),
        ] {
            #expect(try sandbox.call(method, #"{"name":"\#(repeated(limit))"}"#).error == nil)
            #expect(try sandbox.call(method, #"{"name":"\#(repeated(limit + 1))"}"#).text("field") == "name")
        }
        let limit = ReminderModel.uidLengths.upperBound
        for (count, error) in [(limit, nil), (limit + 1, "dev.todod.Todo.InvalidValue")] {
            let text = #"{"todod":1,"categories":[],"items":[{"uid":"\#(repeated(count))","name":"x"}]}"#
            #expect(try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#).error == error)
        }
    }

    @Test func leadTimesBeyondTheLimitAreRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let leads = { (count: Int) in (1...count).map { "\($0)m" }.joined(separator: ",") }
        let call = { (count: Int) in
            try sandbox.call("AddItem", #"{"name":"x","due":"in 2 days","leads":"\#(leads(count))"}"#)
        }
        #expect(try call(Item.leadsLimit).error == nil)
        #expect(try call(Item.leadsLimit + 1).text("field") == "leads")
        #expect(
            try sandbox.call("UpdateItems", #"{"ids":[1],"leads":"\#(leads(17))"}"#).text("field") == "leads")
    }

    @Test func idsBeyondTheLimitAreRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        try sandbox.addItems(["a"])
        let ids = Array(repeating: "1", count: ItemIDs.limit).joined(separator: ",")
        #expect(try sandbox.call("CompleteItems", #"{"ids":[\#(ids)]}"#).items.count == 1)
        let reply = try sandbox.call("DeleteItems", #"{"ids":[\#(ids),1]}"#)
        #expect(reply.error == "dev.todod.Todo.InvalidValue" && reply.text("field") == "ids")
        #expect(try sandbox.call("Status").integer("items") == 1)
    }

    @Test func notesBeyondTheLimitAreRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        for (count, status) in [(Item.notesBytesLimit, 0), (Item.notesBytesLimit + 1, 1)] {
            let item = #"{"uid":"a","name":"x","notes":"\#(repeated(count))"}"#
            try sandbox.write(#"{"todod":1,"categories":[],"items":[\#(item)]}"#, to: "items.json")
            let result = try sandbox.todoctl("import", "\(sandbox.directory)/items.json")
            #expect(result.status == status, "\(result.errors)")
            #expect(result.errors.contains("cannot use items[0].notes") == (status == 1))
        }
    }

    /// Adds so many items with long notes that they do not fit in one reply.
    private func addLongItems(to sandbox: Sandbox) throws -> [Int] {
        let notes = repeated(1_000_000)
        let ids = Array(1...ListItems.replyBytesLimit / notes.utf8.count + 1)
        for _ in ids {
            #expect(try sandbox.call("AddItem", #"{"name":"x","notes":"\#(notes)"}"#).error == nil)
        }
        return ids
    }

    @Test func listTooLongForOneReplyNeedsMore() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let ids = try addLongItems(to: sandbox)
        for method in ["ListItems", "Export"] {
            #expect(try sandbox.call(method).error == "org.varlink.service.ExpectedMore")
        }
        // A reply ends with the item that makes it long enough.
        let counts = try sandbox.replies("ListItems").map(\.items.count)
        #expect(counts.allSatisfy { $0 <= 2 } && counts.reduce(0, +) == ids.count)
        let texts = try sandbox.replies("Export").compactMap { $0.text("text") }
        #expect(texts.allSatisfy { $0.utf8.count < Item.notesBytesLimit + 2 * ItemList.chunkBytes })
        #expect(texts.joined().split(separator: "\n").count == ids.count + 1)
    }

    @Test func alertsBeyondTheLimitAreCounted() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("quiet", "2h").status == 0)
        let count = Evaluate.alertsLimit + 5
        let items = (1...count).map { number in
            #"{"uid":"\#(number)","name":"item \#(number)","due":"2999-01-01T00:00:00Z","leads":[0],"#
                + #""snoozedUntil":"2020-01-01T00:00:00Z","told":{"next":"2020-01-01T00:00:00Z"}}"#
        }
        let text = #"{"todod":1,"categories":[],"items":[\#(items.joined(separator: ","))]}"#
        try sandbox.write(text, to: "items.json")
        #expect(try sandbox.todoctl("import", "\(sandbox.directory)/items.json").output == "\(count) added\n")
        // Calls that arrive together are answered before any alert is sent.
        let connection = try sandbox.connect()
        let calls = ["Quiet\",\"parameters\":{\"off\":true}", "Evaluate\""].map {
            #"{"method":"dev.todod.Todo.\#($0)}"# + "\0"
        }
        try connection.sendBytes(Array(calls.joined().utf8))
        #expect(try connection.nextReply().error == nil)
        let reply = try connection.nextReply()
        guard case .array(let alerts)? = reply.parameters["alerts"] else {
            return #expect(Bool(false), "\(reply)")
        }
        #expect(alerts.count == Evaluate.alertsLimit && reply.integer("more") == 5)
    }

    /// A change that makes the items too long for the reply is refused before it is saved.
    @Test func changeThatMakesItemsTooLongForReplyIsRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let connection = try sandbox.connect()
        let notes = String(repeating: "n", count: 500_000)
        for number in 1...20 {
            try connection.call("AddItem", #"{"name":"item \#(number)","notes":"\#(notes)"}"#)
            #expect(try connection.nextReply().error == nil)
        }
        let ids = (1...20).map(String.init).joined(separator: ",")
        let reply = try sandbox.call("UpdateItems", #"{"ids":[\#(ids)],"appendNotes":"\#(notes)"}"#)
        #expect(reply.error == "dev.todod.Todo.TooLarge")
        #expect(reply.integer("limit") == Int64(ItemIDs.replyBytesLimit))
        let items = try sandbox.replies("ListItems", #"{"fields":["notes"]}"#).flatMap(\.items)
        #expect(items.map { $0["notes"] } == Array(repeating: .string(notes), count: 20))
        let first = try sandbox.call("UpdateItems", #"{"ids":[1],"appendNotes":"more"}"#)
        #expect(first.items.first?["notes"] == .string(notes + "\nmore"))
    }

    /// A change is refused before it is saved if its reply would exceed the limit for unread replies.
    @Test func changeWithoutRoomForReplyIsRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let ids = try addLongItems(to: sandbox)
        let list = ids.dropLast(ids.count / 2).map(String.init).joined(separator: ",")
        // These clients do not read their replies.
        var greedy: [ClientConnection] = []
        var reply = try sandbox.call("MuteItems", #"{"ids":[\#(list)],"muted":true}"#)
        #expect(reply.error == nil)
        while reply.error == nil, greedy.count < 32 {
            let client = try sandbox.connect()
            try client.call("MuteItems", #"{"ids":[\#(list)],"muted":true}"#)
            greedy.append(client)
            reply = try sandbox.call("MuteItems", #"{"ids":[\#(list)],"muted":false}"#)
        }
        #expect(reply.error == "dev.todod.Todo.InvalidMessage", "\(reply.error ?? "none")")
        #expect(reply.text("reason")?.contains("nothing was changed") == true)
        let saved = try greedy.removeLast().nextReply()
        let isMuted =
            try sandbox.call("ListItems", #"{"where":"doNotAlert == YES","fields":["id"]}"#).items.count > 0
        #expect(isMuted == (saved.error == nil))
    }

    @Test func itemsTooLongForAReplyAreRefused() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let ids = try addLongItems(to: sandbox)
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        let list = ids.map(String.init).joined(separator: ",")
        for method in ["CompleteItems", "DeleteItems"] {
            let reply = try sandbox.call(method, #"{"ids":[\#(list)]}"#)
            #expect(reply.error == "dev.todod.Todo.TooLarge")
            #expect(reply.integer("limit") == Int64(ItemIDs.replyBytesLimit))
        }
        let result = try sandbox.run("todoctl", ["mute"] + ids.map(String.init))
        #expect(result.output.split(separator: "\n").count == ids.count + 1)
        #expect(result.output.hasSuffix("This made 2 changes. To undo them:  todoctl undo 2\n"))
        // The watcher receives the changed items in batches, too.
        var sent = 0
        while sent < ids.count {
            let reply = try watcher.nextReply()
            #expect(reply.items.count <= 2)
            sent += reply.items.count
        }
        #expect(try sandbox.call("ListItems", #"{"where":"doNotAlert == NO","fields":[]}"#).items.isEmpty)
    }
}
