import Foundation
import TestProcesses
import Testing
import Varlink

/// Several programs that write at the same time, without the loss of a change.
@Suite struct WritersTests {
    private static let count = 200

    /// Starts a shell that runs todoctl `count` times, one after the other. `$i` is the number of the run.
    private func shell(_ sandbox: Sandbox, _ arguments: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            "i=1; while [ $i -le \(Self.count) ]; do \"$0\" \(arguments) || exit 1; i=$((i + 1)); done",
            "\(Sandbox.products)/todoctl",
        ]
        process.environment = sandbox.environment
        process.standardOutput = FileHandle.nullDevice
        try process.runGuarded()
        return process
    }

    private func finish(_ processes: [Process]) {
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    private func names(_ sandbox: Sandbox, _ state: String = "all") throws -> [String] {
        try sandbox.replies("ListItems", #"{"state":"\#(state)"}"#).flatMap(\.names)
    }

    private func named(_ word: String) -> [String] { (1...Self.count).map { "\(word) \($0)" } }

    @Test func twoProgramsThatAddItemsLoseNone() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        finish([try shell(sandbox, "add left $i"), try shell(sandbox, "add right $i")])
        // Answered changes are on disk.
        daemon.kill()
        _ = try sandbox.startDaemon()
        #expect(try names(sandbox).sorted() == (named("left") + named("right")).sorted())
    }

    @Test func concurrentAdditionAndCompletionLoseNoChanges() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems(named("old"))
        finish([try shell(sandbox, "add new $i"), try shell(sandbox, "done $i")])
        daemon.kill()
        _ = try sandbox.startDaemon()
        #expect(try names(sandbox, "completed").sorted() == named("old").sorted())
        #expect(try names(sandbox, "open").sorted() == named("new").sorted())
    }

    @Test func sixteenConnectionsLoseNoItems() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let address = try #require(UnixAddress(path: sandbox.socket))
        let writers = (1...16).map { writer in
            Work {
                let connection = try ClientConnection(to: address)
                for number in 1...Self.count {
                    try connection.call("AddItem", #"{"name":"writer \#(writer) \#(number)"}"#)
                    if let error = try connection.nextReply().error { throw Refusal(error: error) }
                }
            }
        }
        for writer in writers { try writer.wait() }
        daemon.kill()
        _ = try sandbox.startDaemon()
        #expect(Set(try names(sandbox)).count == 16 * Self.count)
    }

    private struct Refusal: Error {
        let error: String
    }
}

/// Work on a separate thread.
private final class Work: @unchecked Sendable {
    private let end = DispatchSemaphore(value: 0)
    /// Written before the semaphore is signalled, and read after it.
    private var failure: (any Error)?

    init(_ body: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread { [self] in
            do { try body() } catch { failure = error }
            end.signal()
        }
    }

    func wait() throws {
        end.wait()
        if let failure { throw failure }
    }
}
