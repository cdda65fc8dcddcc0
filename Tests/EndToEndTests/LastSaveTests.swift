import Foundation
import SQLiteDriver
import Testing

/// A daemon that is stopped while its store cannot be written.
@Suite struct LastSaveTests {
    @Test func whatCannotBeSavedAtTheEndIsNamed() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("add", "Tea", "--due", "in 30 minutes").status == 0)
        let blocker = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try blocker.execute("BEGIN IMMEDIATE")
        // With a longer lead the item is told now, but that it was told cannot be recorded.
        try sandbox.write("[Alert]\nLeadTime=1h\n", to: "config/todod/todod.conf")
        daemon.send(SIGHUP)
        try daemon.waitFor("READY=1")
        #expect(daemon.stop() == 1)
        #expect(daemon.errors.contains("Cannot record that alerts were given"))
        #expect(daemon.errors.contains("The last alert of item 1 could not be saved"), "\(daemon.errors)")
        try blocker.execute("ROLLBACK")
        _ = try sandbox.startDaemon()
        #expect(try sandbox.todoctl("list").output.contains("Tea"))
    }

    @Test func aWriteThatFailsIsRefusedAndChangesNothing() throws {
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
