import Foundation
import SQLiteDriver
import Testing

/// A daemon that is stopped while its store cannot be written.
@Suite(.waiting) struct LastSaveTests {
    @Test func unsavedAlertIsReportedAtStop() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 301 seconds").status == 0)
        let blocker = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try blocker.execute("BEGIN IMMEDIATE")
        // The alert is sent now or at the full minute, whichever is first, but it cannot be recorded.
        while !daemon.errors.contains("Tea is due") {
            #expect(try sandbox.todoctl("evaluate").status == 0)
        }
        for _ in 0..<3 {
            #expect(try sandbox.todoctl("evaluate").output == "No alerts are due now.\n")
        }
        #expect(daemon.stop() == 1)
        // The alert and the error are each reported once, however many checks there were.
        #expect(daemon.errors.components(separatedBy: "Tea is due").count == 2, "\(daemon.errors)")
        #expect(daemon.errors.components(separatedBy: "Cannot record that alerts were sent").count == 2)
        #expect(daemon.errors.contains("The last alert of item 1 could not be saved"), "\(daemon.errors)")
        try blocker.execute("ROLLBACK")
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("Tea"))
    }

    @Test func failedWriteIsRefusedAndChangesNothing() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let blocker = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try blocker.execute("BEGIN IMMEDIATE")
        let refused = try sandbox.todoctl("add", "Tea")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("nothing was changed"), "\(refused.errors)")
        try blocker.execute("ROLLBACK")
        #expect(try sandbox.todoctl("list").output == "Nothing to do.\n")
        #expect(try sandbox.todoctl("add", "Tea").status == 0)
        #expect(daemon.stop() == 0)
    }
}
