import CivilTime
import Foundation
import Testing
import Varlink

/// Recurring tasks and days of Taskwarrior, through the real programs.
@Suite struct TaskwarriorTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox(now: "2026-11-22T08:49:00", zone: "Europe/Madrid")
        _ = try sandbox.startDaemon()
    }

    private func imported(_ tasks: String...) throws -> Sandbox.Result {
        try sandbox.write("[\(tasks.joined(separator: ","))]", to: "tasks.json")
        return try sandbox.todoctl("import", "\(sandbox.directory)/tasks.json", "--format", "taskwarrior")
    }

    private func items() throws -> [JSONObject] {
        try sandbox.call("ListItems", #"{"state":"all","order":["id"]}"#).items
    }

    /// A task without a visible character in its description is imported with a placeholder name.
    @Test func invisibleDescriptionGetsAName() throws {
        let result = try imported(
            "{\"uuid\":\"a\",\"description\":\"Tea\"}", "{\"uuid\":\"b\",\"description\":\"\u{200B}\"}")
        #expect(result.output == "2 added\n  [1]: a task without a description is called '(no name)'\n")
        #expect(try items().map { $0["name"] } == [.string("Tea"), .string("(no name)")])
    }

    /// The end of a wait has no effect on a completed task, and a time of completion has none on an open one.
    @Test func fieldsWithoutEffectAreNamed() throws {
        let result = try imported(
            #"{"uuid":"a","description":"x","status":"completed","wait":"20261201T080000Z"}"#,
            #"{"uuid":"b","description":"y","status":"pending","end":"20261101T080000Z"}"#)
        #expect(
            result.output == "2 added\n  'end' of 1 task omitted\n  'wait' of 1 task omitted\n")
    }

    /// I1: Every period of Taskwarrior becomes a rule.
    @Test(arguments: [
        ("weekly", "every week"), ("daily", "every day"), ("2wks", "every 2 weeks"), ("P1M", "every month"),
        ("P2W", "every 2 weeks"), ("quarterly", "every 3 months"), ("yearly", "every year"),
        ("weekdays", "every week from Mon to Fri"), ("biweekly", "every 2 weeks"), ("3 days", "every 3 days"),
        ("semiannual", "every 6 months"), ("biannual", "every 2 years"), ("PT8H", "every 8 hours"),
        ("hourly", "every hour"), ("month", "every month"), ("2q", "every 6 months"),
    ])
    func periodBecomesRule(period: String, words: String) throws {
        let result = try imported(
            #"{"uuid":"p","description":"Rent","status":"recurring","due":"20261201T080000Z","recur":"\#(period)"}"#
        )
        #expect(result.output == "1 added\n")
        let item = try #require(try items().first)
        #expect(item["every"] == .string(words))
        #expect(item["due"] == .string("2026-12-01T09:00:00+01:00"))
    }

    /// I1: A template and its tasks become one item, which is due when the next open task is.
    @Test func templateAndTasksMakeOneItem() throws {
        let template =
            #"{"uuid":"p","description":"Bins","status":"recurring","due":"20261102T180000Z","recur":"weekly","mask":"++-","rtype":"periodic"}"#
        let child = { (uid: String, status: String, due: String) in
            #"{"uuid":"\#(uid)","description":"Bins","status":"\#(status)","due":"\#(due)","recur":"weekly","parent":"p","imask":0}"#
        }
        let tasks = [
            child("a", "completed", "20261102T180000Z"), template,
            child("b", "completed", "20261109T180000Z"),
            child("d", "pending", "20261130T180000Z"), child("c", "pending", "20261123T180000Z"),
        ]
        let result = try imported(tasks.joined(separator: ","))
        #expect(result.output.contains("1 added\n"))
        #expect((result.output + result.errors).contains("3 tasks omitted: other times of a repeating item"))
        let item = try #require(try items().first)
        #expect(try items().count == 1)
        #expect(item["uid"] == .string("p") && item["due"] == .string("2026-11-23T19:00:00+01:00"))
        #expect(item["every"] == .string("every week") && item["completed"] == .boolean(false))
        #expect(try imported(tasks.joined(separator: ",")).output.contains("1 unchanged\n"))
        #expect(try sandbox.todoctl("done", "1").output.contains("Mon 30 Nov 19:00"))
        // An export of only the open tasks has no template.
        let other = try Sandbox(now: "2026-11-22T08:49:00", zone: "Europe/Madrid")
        _ = try other.startDaemon()
        try other.write("[\(tasks[3]),\(tasks[4])]", to: "tasks.json")
        #expect(
            try other.todoctl("import", "\(other.directory)/tasks.json", "--format", "taskwarrior").output
                .contains("1 added\n"))
        #expect(try other.call("ListItems", "{}").items.first?["due"] == .string("2026-11-23T19:00:00+01:00"))
    }

    @Test func completedTasksOfTemplateAreInHistory() throws {
        let template =
            #"{"uuid":"p","description":"Bins","status":"recurring","due":"20261102T180000Z","recur":"weekly","mask":"+-","rtype":"periodic"}"#
        let child = { (uid: String, rest: String) in
            #"{"uuid":"\#(uid)","description":"Bins","recur":"weekly","parent":"p",\#(rest)}"#
        }
        let open = child("b", #""status":"pending","due":"20261109T180000Z","modified":"20261101T090000Z""#)
        #expect(try imported([template, open].joined(separator: ",")).output.contains("1 added\n"))
        let tasks = [
            template,
            child("b", #""status":"completed","due":"20261109T180000Z","end":"20261121T090000Z""#),
            child("c", #""status":"pending","due":"20261116T180000Z","modified":"20261101T090000Z""#),
        ]
        #expect(try imported(tasks.joined(separator: ",")).output.contains("1 updated\n"))
        let history = try sandbox.todoctl("history", "--format", "{due} {at}").output
        #expect(history == "2026-11-09T19:00:00+01:00 2026-11-21T10:00:00+01:00\n")
        #expect(try imported(tasks.joined(separator: ",")).output.contains("1 unchanged\n"))
    }

    /// I1: Without an open task, the item is due at the first time for which Taskwarrior has not created a task.
    /// `until` ends the rule.
    @Test func templateWithoutOpenTaskContinues() throws {
        let result = try imported(
            #"{"uuid":"p","description":"Bins","status":"recurring","due":"20261102T180000Z","recur":"weekly","until":"20261231T220000Z"}"#,
            #"{"uuid":"a","description":"Bins","status":"completed","due":"20261109T180000Z","recur":"weekly","parent":"p"}"#
        )
        #expect(result.output.contains("1 added\n"))
        let item = try #require(try items().first)
        #expect(item["due"] == .string("2026-11-16T19:00:00+01:00"))
        #expect(item["recurrence"] == .string("FREQ=WEEKLY;UNTIL=20261231T220000Z"))
    }

    /// I1: A due time of midnight is a date. Its alert is sent at the default time of that day, not on the evening before.
    @Test func dueTimeOfMidnightMeansWholeDay() throws {
        let result = try imported(
            #"{"uuid":"a","description":"Passport","status":"pending","due":"20261123T230000Z"}"#,
            #"{"uuid":"b","description":"Call","status":"pending","due":"20261123T230100Z"}"#)
        #expect(result.output == "2 added\n")
        let items = try items()
        #expect(items.first?["due"] == .string("2026-11-24"))
        #expect(items.first?["nextAlert"] == .string("2026-11-24T09:00:00+01:00"))
        #expect(items.last?["due"] == .string("2026-11-24T00:01:00+01:00"))
    }

    /// I1: An unknown period is named, and the task becomes an item that does not repeat.
    @Test func unknownPeriodIsNamed() throws {
        let result = try imported(
            #"{"uuid":"p","description":"Rent","status":"recurring","due":"20261201T080000Z","recur":"moonly"}"#
        )
        #expect((result.output + result.errors).contains("'Rent' does not repeat: its recurrence 'moonly'"))
        #expect(try items().first?["recurrence"] == nil)
    }

    /// Everything of a task that an item does not have is named.
    @Test func omittedPartsOfTasksAreNamed() throws {
        let result = try imported(
            #"{"uuid":"a","description":"Tea","status":"pending","priority":"X","end":"20261101T000000Z"}"#,
            #"{"uuid":"b","description":"Rent","status":"completed","recur":"weekly","parent":"p"}"#,
            #"{"uuid":"c","description":"Call","annotations":[{"entry":"20261101T101112Z","description":"x"}]}"#
        )
        #expect(
            result.output == """
                3 added
                  'Tea': its priority 'X' is not H, M or L; it has no priority here
                  'annotations.entry' of 1 task omitted
                  'end' of 1 task omitted
                  'recur' of 1 task omitted

                """)
        let wrong = try imported(#"{"uuid":"d","description":"Call","annotations":"x"}"#)
        #expect(
            wrong.errors.contains("[0].annotations: expected an array, found a string"), "\(wrong.errors)")
    }

    /// An end that does not limit a rule is named.
    @Test func endWithoutRuleIsNamed() throws {
        let result = try imported(
            #"{"uuid":"p","description":"Rent","status":"recurring","due":"20261201T080000Z","recur":"moonly","until":"20261231T220000Z"}"#
        )
        #expect(result.output.contains("'until' of 1 task omitted"), "\(result.output)")
    }
}
