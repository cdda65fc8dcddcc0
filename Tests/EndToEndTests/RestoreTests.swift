import CivilTime
import Testing
import Varlink

/// The alerts already sent for an item, and the effect of an import on them.
@Suite struct RestoreTests {
    /// Returns an export of one item that is due after the given number of seconds.
    private func text(due seconds: Double, _ more: String = "", modified: Double = -3_600) -> String {
        let (due, changed) = (time(seconds), time(modified))
        return #"""
            {"todod":1,"categories":[],"items":[{"uid":"a","name":"Tea","due":"\#(due)","leads":[],
            "createdAt":"\#(changed)","modifiedAt":"\#(changed)"\#(more)}]}
            """#.replacing("\n", with: "").replacing("DUE", with: due)
    }

    private let start = Timestamp(secondsSince1970: TestPlace.current.now.secondsSince1970.rounded())

    private func time(_ seconds: Double) -> String { RFC3339.text(start + seconds) ?? "" }

    private func take(_ text: String, into sandbox: Sandbox) throws -> MethodReply {
        let reply = try sandbox.call("Import", #"{"text":\#(JSON.string(text).text)}"#)
        #expect(reply.error == nil, "\(reply)")
        return reply
    }

    /// Returns the time of the last alert, after all pending alerts were sent.
    private func lastAlert(_ sandbox: Sandbox) throws -> JSON? {
        let alerts = try sandbox.call("Evaluate").parameters["alerts"]
        #expect(alerts == .array([]))
        return try sandbox.call("ListItems").items.first?["lastAlert"]
    }

    @Test(arguments: [
        // An item of another program leads to an alert only if it is not overdue.
        (-600.0, "", false), (180, "", true),
        // An item of todod's own export is as it was: a missed alert is still missed, and each alert is sent once.
        (-600, #","told":{}"#, true), (180, #","told":{}"#, true),
        (-600, #","told":{"due":"DUE"}"#, false),
        (180, #","told":{"due":"DUE"}"#, false),
        // The recorded alert was for another due time.
        (180, #","told":{"due":"2020-05-01T09:00:00Z"}"#, true),
        (180, #","told":{"leads":[{"lead":600,"due":"DUE"}]}"#, true),
    ])
    func importSendsOnlyNewAlerts(due: Double, sent: String, rings: Bool) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        _ = try watcher.nextReply()
        #expect(try take(text(due: due, sent), into: sandbox).integer("added") == 1)
        #expect(try watcher.nextReply().text("event") == "added")
        if rings {
            #expect(try watcher.nextReply().text("alert") == (due < 0 ? "missed" : "due-soon"))
        } else {
            #expect(try lastAlert(sandbox) == nil)
        }
    }

    @Test func sentAlertIsNotSentAgainAfterImport() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try take(text(due: 180, #","told":{}"#), into: sandbox).integer("added") == 1)
        // The alert was sent and recorded.
        for event in ["ready", "added", "alert", "changed"] {
            #expect(try watcher.nextReply().text("event") == event)
        }
        let sent = try #require(try sandbox.call("Export").text("text"))
        #expect(sent.contains(#""told":{"due":"#))

        let other = try Sandbox()
        _ = try other.startDaemon()
        #expect(try take(sent, into: other).integer("added") == 1)
        let last = try lastAlert(other)
        #expect(last != nil)
        // An import of an earlier state keeps the recorded alert, and an alert that another daemon has sent is not
        // sent again.
        #expect(try take(text(due: 180, #","told":{}"#), into: other).integer("unchanged") == 1)
        #expect(try lastAlert(other) == last)
        let third = try Sandbox()
        _ = try third.startDaemon()
        #expect(try third.call("Quiet", #"{"until":"in 1 hour"}"#).error == nil)
        #expect(try take(text(due: 180, #","told":{}"#), into: third).integer("added") == 1)
        #expect(try take(sent, into: third).integer("updated") == 1)
        #expect(try take(sent, into: third).integer("unchanged") == 1)
        #expect(try third.call("Quiet", #"{"off":true}"#).error == nil)
        #expect(try lastAlert(third) == last)
    }

    @Test func newestStateOfAnItemIsKept() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        #expect(try take(text(due: 7_200, #","told":{}"#), into: sandbox).integer("added") == 1)
        let newer = text(due: 7_200, #","told":{},"notes":"new""#, modified: -60)
        let older = text(due: 7_200, #","told":{},"notes":"old""#, modified: -7_200)
        #expect(try take(older, into: sandbox).integer("older") == 1)
        #expect(try take(newer, into: sandbox).integer("updated") == 1)
        #expect(try take(newer, into: sandbox).integer("unchanged") == 1)
        #expect(try take(older, into: sandbox).integer("older") == 1)
        #expect(try sandbox.call("ListItems").items.first?["notes"] == .string("new"))
    }

    /// Otherwise every import would send the alert again.
    @Test func endedSnoozeIsNotRestartedByImport() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let snoozed = text(due: 7_200, #","snoozedUntil":"\#(time(-60))","told":{}"#)
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try take(snoozed, into: sandbox).integer("added") == 1)
        for event in ["ready", "added", "alert", "changed"] {
            #expect(try watcher.nextReply().text("event") == event)
        }
        #expect(try take(snoozed, into: sandbox).integer("unchanged") == 1)
        #expect(try sandbox.call("ListItems").items.first?["snoozedUntil"] == nil)
    }

    @Test func importedCategoriesKeepTheirState() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let category = { (name: String, muted: Bool, modified: Double) in
            #"{"uid":"c","name":"\#(name)","muted":\#(muted),"createdAt":"\#(time(-9_000))","modifiedAt":"\#(time(modified))"}"#
        }
        let item = { (name: String) in
            #"{"uid":"\#(name)","name":"x","category":"\#(name)","modifiedAt":"\#(time(-60))"}"#
        }
        let file = { (categories: String, items: String) in
            #"{"todod":1,"categories":[\#(categories)],"items":[\#(items)]}"#
        }
        let first = try take(file(category("Home", true, -7_200), item("Home")), into: sandbox)
        #expect(first.integer("categoriesAdded") == 1 && first.integer("added") == 1)
        // The category was renamed there since, and the new item is in the same category.
        let renamed = file(category("House", false, -3_600), item("House"))
        let second = try take(renamed, into: sandbox)
        #expect(second.integer("categoriesUpdated") == 1 && second.integer("categoriesAdded") == 0)
        #expect(try take(renamed, into: sandbox).integer("categoriesUpdated") == 0)
        // An older state changes nothing, and its name still refers to that category.
        let third = try take(file(category("Home", true, -7_200), item("home")), into: sandbox)
        #expect(third.integer("categoriesUpdated") == 0 && third.integer("categoriesAdded") == 0)
        let categories = try sandbox.call("ListCategories").parameters["categories"]
        guard case .array(let all)? = categories, case .object(let only)? = all.first else { return }
        #expect(all.count == 1 && only["name"] == .string("House"))
        #expect(only["muted"] == .boolean(false) && only["items"] == .integer(3))
    }

    @Test func importDoesNotDuplicateCategoryName() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let first =
            #"{"todod":1,"categories":[{"uid":"c","name":"Home","muted":false,"modifiedAt":"2020-01-01T00:00:00Z"}],"items":[]}"#
        _ = try take(first, into: sandbox)
        #expect(try sandbox.call("AddCategory", #"{"name":"Work"}"#).error == nil)
        let later = first.replacing("Home", with: "WORK").replacing("2020", with: "2021")
        #expect(try take(later, into: sandbox).integer("categoriesUpdated") == 1)
        let names = try sandbox.todoctl("category", "list").output
        #expect(names.contains("Home") && names.contains("Work") && !names.contains("WORK"))
    }
}
