import CivilTime
import TestSupport
import Testing
import Varlink

@testable import TodoAPI

/// Compares the text of the interface with the types.
@Suite struct InterfaceTests {
    private let interface = InterfaceText(TodoInterface.description)
    private let syncInterface = InterfaceText(SyncInterface.description)

    @Test func textHasNameOfServedInterface() {
        #expect(interface.name == TodoInterface.name)
        #expect(syncInterface.name == SyncInterface.name)
    }

    @Test func everyMethodReadsFieldsOfText() throws {
        var described = interface.methods
        try check(AddItem.self, &described)
        try check(GetItem.self, &described)
        try check(ListItems.self, &described)
        try check(ListHistory.self, &described)
        try check(UpdateItems.self, &described)
        try check(DueItems.self, &described)
        try check(CompleteItems.self, &described)
        try check(ReopenItems.self, &described)
        try check(SkipItems.self, &described)
        try check(SnoozeItems.self, &described)
        try check(MuteItems.self, &described)
        try check(DeleteItems.self, &described)
        try check(AddCategory.self, &described)
        try check(DeleteCategory.self, &described)
        try check(ListCategories.self, &described)
        try check(UpdateCategory.self, &described)
        try check(ListTags.self, &described)
        try check(UpdateTag.self, &described)
        try check(DeleteTag.self, &described)
        try check(AddView.self, &described)
        try check(ListViews.self, &described)
        try check(UpdateView.self, &described)
        try check(DeleteView.self, &described)
        try check(Evaluate.self, &described)
        try check(Undo.self, &described)
        try check(Redo.self, &described)
        try check(Quiet.self, &described)
        try check(Backup.self, &described)
        try check(Export.self, &described)
        try check(Import.self, &described)
        try check(Watch.self, &described)
        try check(Status.self, &described)
        try check(GetConfig.self, &described)
        try check(CheckConfig.self, &described)
        try check(TakeWarnings.self, &described)
        try check(AddSyncAccount.self, &described)
        try check(ListSyncAccounts.self, &described)
        try check(DeleteSyncAccount.self, &described)
        try check(UpdateSyncList.self, &described)
        try check(ListSyncEntries.self, &described)
        try check(TakeSyncChanges.self, &described)
        try check(ListSyncUploads.self, &described)
        try check(RecordSyncUploads.self, &described)
        try check(ListSyncConflicts.self, &described)
        try check(ResolveSyncConflict.self, &described)
        #expect(described.isEmpty, "methods of the text without a type: \(described.keys.sorted())")
    }

    @Test func everySyncMethodReadsFieldsOfText() throws {
        var described = syncInterface.methods
        try check(FindLists.self, &described)
        try check(AddAccount.self, &described)
        try check(RemoveAccount.self, &described)
        try check(SyncNow.self, &described)
        try check(GetSyncState.self, &described)
        #expect(described.isEmpty, "methods of the text without a type: \(described.keys.sorted())")
    }

    /// A client that asks for `more` gets an error from a method of the other interface.
    @Test func methodsNameTheirInterface() {
        #expect(SyncNow.qualifiedName == "dev.todod.Sync.SyncNow")
        #expect(ListSyncAccounts.qualifiedName == "dev.todod.Todo.ListSyncAccounts")
    }

    private func check<M: Method>(_ method: M.Type, _ described: inout [String: InterfaceText.Method]) throws
    {
        let found = described.removeValue(forKey: M.name)
        let text = try #require(found, "the text has no method \(M.name)")
        #expect(
            try FieldLister.fields(of: M.Parameters()) == text.parameters,
            "parameters of \(M.name)")
        #expect(try FieldLister.fields(of: M.Reply()) == text.reply, "reply of \(M.name)")
    }

    @Test func everyTypeReadsFieldsOfText() throws {
        #expect(try FieldLister.fields(of: Item()) == interface.types[Item.varlinkType])
        #expect(
            try FieldLister.fields(of: CategorySummary())
                == interface.types[CategorySummary.varlinkType])
        #expect(try FieldLister.fields(of: ItemLink()) == interface.types[ItemLink.varlinkType])
        #expect(try FieldLister.fields(of: TagSummary()) == interface.types[TagSummary.varlinkType])
        #expect(try FieldLister.fields(of: AlertNotice()) == interface.types[AlertNotice.varlinkType])
        #expect(try FieldLister.fields(of: Argument()) == interface.types[Argument.varlinkType])
        #expect(try FieldLister.fields(of: PlaceState()) == interface.types[PlaceState.varlinkType])
        #expect(try FieldLister.fields(of: ChangeNotice()) == interface.types[ChangeNotice.varlinkType])
        #expect(try FieldLister.fields(of: SettingState()) == interface.types[SettingState.varlinkType])
        #expect(try FieldLister.fields(of: WrongLine()) == interface.types[WrongLine.varlinkType])
        #expect(try FieldLister.fields(of: HistoryEntry()) == interface.types[HistoryEntry.varlinkType])
        #expect(try FieldLister.fields(of: HistoryCounts()) == interface.types[HistoryCounts.varlinkType])
        #expect(try FieldLister.fields(of: TextPart()) == interface.types[TextPart.varlinkType])
        #expect(try FieldLister.fields(of: ViewQuery()) == interface.types[ViewQuery.varlinkType])
        #expect(try FieldLister.fields(of: ViewSummary()) == interface.types[ViewSummary.varlinkType])
        for type in [
            SyncAccountSummary.self, SyncListSummary.self, SyncListChoice.self, SyncEntrySummary.self,
            SyncText.self, SyncUpload.self, SyncUploadResult.self, SyncConflict.self,
        ] as [any NamedBody.Type] { try check(type, interface) }
        #expect(interface.types.count == 23)
    }

    @Test func everySyncTypeReadsFieldsOfText() throws {
        for type in [
            SyncAccountSummary.self, SyncListSummary.self, SyncListChoice.self, FoundSyncList.self,
            SyncAccountState.self,
        ] as [any NamedBody.Type] { try check(type, syncInterface) }
        #expect(syncInterface.types.count == 5)
    }

    private func check<Body: NamedBody>(_ type: Body.Type, _ interface: InterfaceText) throws {
        #expect(try FieldLister.fields(of: Body()) == interface.types[Body.varlinkType])
    }

    @Test func everyErrorReadsFieldsOfText() throws {
        for (name, fields) in interface.errors {
            let error = APIError(named: "\(TodoInterface.name).\(name)")
            #expect(error != .other(error.name), "no error \(name) in the code")
            let schema = try FieldLister.fields(of: error.body)
            #expect(schema == fields, "fields of \(name)")
        }
        let ours = APIError.blanks.filter { $0.name.hasPrefix(TodoInterface.name) }
        #expect(interface.errors.count == ours.count)
        #expect(
            try FieldLister.fields(of: APIError.serverProblem(reason: "").body)
                == syncInterface.errors["ServerProblem"])
        #expect(syncInterface.errors.count == 1)
    }

    @Test func writtenValuesReadBack() throws {
        var item = Item()
        item.id = 3
        item.name = "Pay \"the\" rent\n"
        item.due = .moment(Timestamp(secondsSince1970: 1_795_248_000))
        item.muted = true
        item.category = "Home"
        item.categoryMuted = true
        item.nextAlert = .init(secondsSince1970: 60)
        item.heldUntil = .init(secondsSince1970: 90)
        item.recurrence = "FREQ=DAILY;COUNT=3"
        item.every = "every day, 3 times"
        item.afterDone = true
        item.occurrencesDone = 2
        item.timeZone = "Europe/Berlin"
        item.tags = ["errand", "post"]
        item.links = [ItemLink(typed: "https://example.com The offer")]
        item.leads = [3_600, 0]
        item.snoozedUntil = .init(secondsSince1970: 90)
        let part = TextPart(kind: .category, text: "@home", value: "home", words: [2], isNew: true)
        let added = try roundTrip(AddItem.Reply(item: item, parts: [part], problem: "p", note: "n"))
        #expect(added.item == item && added.parts == [part] && added.problem == "p" && added.note == "n")
        let changes = ItemChanges(items: [item], unchanged: [3])
        let changed = try roundTrip(UpdateItems.Reply(changes, note: "n"))
        #expect(changed.note == "n" && changed.unchanged == [3])
        #expect(try roundTrip(ItemList(items: [item, item])).items == [item, item])
        #expect(try roundTrip(ItemIDs(ids: [1, -5, .max])).ids == [1, -5, .max])
        var parameters = AddItem.Parameters()
        parameters.name = "x"
        parameters.due = "tomorrow"
        parameters.timeZone = "UTC"
        parameters.category = "c"
        parameters.every = "day"
        parameters.afterDone = false
        parameters.muted = true
        parameters.past = false
        (parameters.quick, parameters.dryRun) = (true, false)
        let read = try roundTrip(parameters)
        #expect(read.name == "x" && read.due == "tomorrow" && read.timeZone == "UTC" && read.category == "c")
        #expect(read.muted == true && read.past == false && read.every == "day" && read.afterDone == false)
        #expect(read.quick == true && read.dryRun == false)
        var filter = ListItems.Parameters()
        filter.state = .completed
        #expect(try roundTrip(filter).state == .completed)
        let summary = CategorySummary(id: 1, name: "Home", muted: true, items: 2, open: 1)
        #expect(try roundTrip(ListCategories.Reply(categories: [summary])).categories == [summary])
        #expect(try roundTrip(AddCategory.Reply(category: summary)).category == summary)
        let tag = TagSummary(id: 1, name: "errand", items: 2, open: 1)
        #expect(try roundTrip(ListTags.Reply(tags: [tag])).tags == [tag])
        #expect(try roundTrip(UpdateTag.Reply(tag: tag, isUnchanged: true)).unchanged == true)
        var entry = HistoryEntry()
        (entry.id, entry.name, entry.due, entry.skipped) = (3, "x", CalendarTime("2026-11-27"), true)
        var counts = HistoryCounts()
        (counts.id, counts.done, counts.streak, counts.longestStreak) = (3, 4, 1, 2)
        var history = ListHistory.Reply()
        (history.entries, history.counts, history.note) = ([entry], [counts], "n")
        let readHistory = try roundTrip(history)
        #expect(readHistory.entries == [entry] && readHistory.counts == [counts] && readHistory.note == "n")
        let alert = AlertNotice(kind: "missed", id: 3, name: "x", due: CalendarTime("2026-11-27"))
        let evaluated = try roundTrip(Evaluate.Reply(alerts: [alert], quietUntil: nil, more: 7))
        #expect(evaluated.alerts == [alert] && evaluated.quietUntil == nil && evaluated.more == 7)
        var status = Status.Reply()
        status.storePath = "/x"
        status.nextDue = CalendarTime("2026-11-27T20:00:00")
        #expect(try roundTrip(status) == status)
        status.nextAlertID = 7
        status.places = [PlaceState(name: "journal", state: "held-up", waiting: 3)]
        #expect(try roundTrip(status) == status)
    }

    @Test func queryOfViewReadsBack() throws {
        var list = ListItems.Parameters()
        (list.state, list.tags, list.order, list.limit) = (.open, ["office"], ["-due"], 3)
        (list.dueBefore, list.where, list.parent, list.blocked) = ("tomorrow", "priority > 0", 2, false)
        let query = ViewQuery(list, group: "due")
        #expect(query.parameters == list)
        #expect(try ViewQuery(json: query.json) == query)
        // A view is not bound to one reply, or to the time zone in which it was saved.
        (list.timeZone, list.fields, list.offset) = ("Europe/Berlin", ["due"], 4)
        #expect(ViewQuery(list, group: "due") == query)
        for text in ["", "[]", "{", #"{"colour":"red"}"#, #"{"limit":"x"}"#] {
            #expect(throws: FieldError.self) { try ViewQuery(json: text) }
        }
    }

    private func roundTrip<Body: MessageBody>(_ body: Body) throws -> Body {
        try FieldReader.read(Body.self, from: json(body))
    }

    @Test(arguments: [
        APIError.invalidMessage(reason: "r"), .invalidValue(field: "name", reason: "r"),
        .invalidDate(field: "due", text: "t", reason: "r"),
        .invalidDate(field: "due", text: "t", reason: "r", similar: ["s"]),
        .pastDate(field: "due", text: "t", understood: .init(secondsSince1970: 60)),
        .pastDate(field: "due", text: "t", understood: .init(secondsSince1970: 60), item: 3),
        .viewNotFound(name: "n", similar: ["m"]), .viewExists(name: "n"),
        .invalidRecurrence(text: "t", reason: "r"), .itemNotFound(ids: [1, 2]),
        .invalidPredicate(reason: "r", offset: 3, found: "f", expected: "e"),
        .invalidPredicate(reason: "r", offset: nil, found: "f", expected: "e"),
        .itemModified(id: 3, modifiedAt: .init(secondsSince1970: 60)),
        .categoryNotFound(name: "n", similar: ["m"]), .categoryExists(name: "n"), .storeFailure(reason: "r"),
        .nothingToUndo(reason: "r", backup: "/b"), .nothingToUndo(reason: "r", backup: nil),
        .tagNotFound(name: "n", similar: ["m"]), .tagExists(name: "n"),
        .undoConflict(summary: "w", item: 3, name: "n", changed: ["due"], reason: "r"),
        .undoConflict(summary: "w", item: nil, name: "n", changed: [], reason: "r", isTag: true),
        .tooLarge(limit: 1), .tooSlow(reason: "r"), .tokenTooOld(reason: "r"), .tokenNotFound(reason: "r"),
        .noHistory(reason: "r"), .syncAccountNotFound(name: "n", similar: ["m"]),
        .syncAccountExists(name: "n"), .syncListNotFound(name: "n", similar: ["m"]),
        .syncConflictNotFound(id: 3), .serverProblem(reason: "r"), .interfaceNotFound("i"),
        .methodNotFound("m"), .invalidParameter(field: "f", reason: "r"), .expectedMore,
    ])
    func writtenErrorReadsBack(error: APIError) throws {
        #expect(APIError(name: error.name, parameters: try json(error.body)) == error)
    }

    private func json(_ body: some MessageBody) throws -> JSONObject {
        var writer = JSONWriter()
        writer.object { FieldWriter.write(body, to: &$0) }
        guard case .object(let object) = try JSONParser.parse(writer.bytes) else { return JSONObject() }
        return object
    }
}

@Suite struct FieldReaderTests {
    @Test(arguments: [
        ("{}", "name", "expected a string, found nothing"),
        (#"{"name":null}"#, "name", "expected a string, found null"),
        (#"{"name":1}"#, "name", "expected a string, found an integer"),
        (#"{"name":"x","muted":"yes"}"#, "muted", "expected a boolean, found a string"),
        (#"{"name":"x","nmae":"y"}"#, "nmae", "no such field"),
    ])
    func invalidFieldOfAddItemIsNamed(text: String, field: String, reason: String) throws {
        #expect(throws: FieldError(field: field, reason: reason)) { try read(AddItem.Parameters.self, text) }
    }

    @Test(arguments: [
        ("{}", "ids", "expected an array, found nothing"),
        (#"{"ids":{}}"#, "ids", "expected an array, found an object"),
        (#"{"ids":[1,"2"]}"#, "ids[1]", "expected an integer, found a string"),
        (#"{"ids":[1.5]}"#, "ids[0]", "expected an integer, found a number"),
    ])
    func invalidIDsAreNamed(text: String, field: String, reason: String) throws {
        #expect(throws: FieldError(field: field, reason: reason)) { try read(ItemIDs.self, text) }
    }

    @Test func unknownWordIsRefusedWithKnownWords() throws {
        #expect(
            throws: FieldError(
                field: "state", reason: "expected one of open, waiting, completed, all, found a string")
        ) {
            try read(ListItems.Parameters.self, #"{"state":"late"}"#)
        }
    }

    @Test func innerFieldIsNamedWithItsPath() throws {
        #expect(throws: FieldError(field: "items[0].uid", reason: "expected a string, found nothing")) {
            try read(ItemList.self, #"{"items":[{"id":1}]}"#)
        }
    }

    @Test func clientIgnoresUnknownFields() throws {
        let text = #"{"ids":[1],"new":true}"#
        guard case .object(let object) = try JSONParser.parse(Array(text.utf8)) else { return }
        #expect(try FieldReader.read(ItemIDs.self, from: object, unknownFields: .ignored).ids == [1])
    }

    private func read<Body: MessageBody>(_ type: Body.Type, _ text: String) throws -> Body {
        guard case .object(let object) = try JSONParser.parse(Array(text.utf8)) else {
            throw FieldError(field: "", reason: "not an object")
        }
        return try FieldReader.read(type, from: object)
    }
}
