import CivilTime
import Testing
import Varlink

/// The clock that a test sets for the programs.
@Suite struct ClockOffsetTests {
    /// T1: Both programs use the clock of the test.
    @Test(arguments: ["2026-11-22T08:49:00Z", "2028-02-29T23:58:00Z", "1999-12-31T23:58:00Z"])
    func programsTakeTheClockFromTheTest(now: String) throws {
        let sandbox = try Sandbox(now: now)
        _ = try sandbox.startDaemon()
        let begin = sandbox.now
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 3 hours").output.contains("in 3 h"))
        guard case .object(let item)? = try sandbox.call("GetItem", #"{"id":1}"#).parameters["item"],
            case .string(let created)? = item["createdAt"], case .string(let due)? = item["due"]
        else {
            Issue.record("no item")
            return
        }
        let moment = try #require(RFC3339.moment(created))
        // Times in messages may have no fraction.
        #expect(moment > begin - 1 && moment <= sandbox.now)
        #expect(try #require(RFC3339.moment(due)) - moment <= 3 * 3_600 + 1)
        // Predicates use the same clock.
        #expect(try sandbox.call("ListItems", #"{"where":"createdDate <= now()"}"#).items.count == 1)
        #expect(try sandbox.call("ListItems", #"{"where":"dueDate <= now()"}"#).items.isEmpty)
    }

    /// T1: The minute check runs at the full minutes of the clock that the test chose.
    @Test func minuteCheckRunsAtFullMinuteOfChosenClock() throws {
        let sandbox = try Sandbox(now: "2027-03-28T00:59:58Z")
        let daemon = try sandbox.startDaemon()
        let watcher = try sandbox.connect()
        try watcher.call("Watch", more: true)
        #expect(try watcher.nextReply().text("event") == "ready")
        #expect(try sandbox.todoctl("add", "Tea", "--due", "2027-03-28T01:05:00Z").status == 0)
        var event = try watcher.nextReply()
        while event.text("event") != "alert" { event = try watcher.nextReply() }
        #expect(sandbox.now >= (try #require(RFC3339.moment("2027-03-28T01:00:00Z"))))
        #expect(daemon.stop() == 0)
    }

    @Test(arguments: ["tomorrow", "nan", "1e300", "12s"])
    func offsetThatIsNotANumberOfSecondsIsRefused(offset: String) throws {
        let sandbox = try Sandbox()
        for program in ["todod", "todoctl"] {
            let result = try sandbox.run(program, ["--version"], environment: ["TODOD_CLOCK_OFFSET": offset])
            #expect(result.status == 1 && result.output.isEmpty)
            #expect(
                result.errors
                    == "\(program): TODOD_CLOCK_OFFSET is '\(offset)', but has to be a number of seconds, such as -3600\n"
            )
        }
    }
}
