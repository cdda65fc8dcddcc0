import Foundation
import SQLiteDriver
import Testing
import TodoAPI
import Varlink

/// The memory, descriptors and processor time of the daemon, measured by the kernel.
@Suite struct ResourceTests {
    private static let longItems = 24
    /// The number of items with a megabyte of notes each. The memory limit below is less than all of them together.
    private static let veryManyLongItems = 64
    private static let residentKilobytesLimit = 48 << 10

    /// SQLite writes the notes and `wc` counts the replies, because a debug build of the JSON coder is slow.
    @Test func longNotesDoNotFillTheMemory() throws {
        let sandbox = try Sandbox()
        let writer = try sandbox.startDaemon()
        for number in 1...Self.veryManyLongItems {
            let item = #"{"name":"\#(number)","due":"2099-01-01"}"#
            #expect(try sandbox.call("AddItem", item).error == nil)
        }
        #expect(writer.stop() == 0)
        do {
            let store = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
            try store.execute("UPDATE ToDo SET notes = replace(hex(zeroblob(500000)), '0', 'n')")
        }

        let daemon = try sandbox.startDaemon()
        _ = try sandbox.call("Status")
        let before = try daemon.largestResidentKilobytes
        let call = #"{"method":"dev.todod.Todo.ListItems","more":true}"#
        let list = try sandbox.shell("printf '\(call)\\000' | nc -N -U '\(sandbox.socket)' | wc -c").output
        #expect(try #require(Int(list.filter(\.isNumber))) > Self.veryManyLongItems * 1_000_000)
        #expect(
            try sandbox.call("DueItems", #"{"within":"36500 d"}"#).error == "org.varlink.service.ExpectedMore"
        )
        let client = try sandbox.connect()
        for _ in 1...Self.veryManyLongItems { try client.call("GetItem", #"{"id":1}"#) }
        // The client reads only the first of its replies.
        #expect(try client.nextReply().error == nil)
        #expect(try daemon.largestResidentKilobytes < before + Self.residentKilobytesLimit)
    }

    /// The freed memory is fragmented.
    @Test func memoryOfLargeChangeIsReturned() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let client = try sandbox.connect()
        let notes = String(repeating: "n", count: 1_000_000)
        for number in 1...Self.longItems {
            let item = #"{"name":"\#(number)","notes":"\#(notes)"}"#
            // Replies would be as long as the calls.
            let call = #"{"method":"dev.todod.Todo.AddItem","oneway":true,"parameters":\#(item)}"#
            try client.send(Array(call.utf8))
        }
        try client.call("Status")
        #expect(try client.nextReply().integer("items") == Int64(Self.longItems))
        let before = try daemon.kilobytes("VmRSS:")
        #expect(try sandbox.call("Undo", #"{"count":\#(Self.longItems)}"#).error == nil)
        #expect(try sandbox.call("AddItem", #"{"name":"x"}"#).error == nil)
        // The minute check also runs every minute.
        kill(daemon.processID, SIGUSR1)
        let isSmall = try (1...1_000).contains { _ in
            _ = try sandbox.call("Status")
            return try daemon.kilobytes("VmRSS:") < before + (10 << 10)
        }
        #expect(isSmall)
    }

    @Test func descriptorsDoNotLeak() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems((1...300).map { "item \($0)" })
        try use(sandbox, times: 2)
        let count = try daemon.descriptors.count
        try use(sandbox, times: 15)
        // The daemon may not have noticed yet that the last clients disconnected.
        let areFew = try (1...1_000).contains { _ in
            _ = try sandbox.call("Status")
            return try daemon.descriptors.count <= count + 2
        }
        #expect(areFew)
    }

    /// Uses every function that opens a file or a connection.
    private func use(_ sandbox: Sandbox, times: Int) throws {
        for time in 1...times {
            for method in ["Status", "ListCategories", "DueItems", "GetItem"] {
                _ = try sandbox.call(method, method == "GetItem" ? #"{"id":1}"# : "{}")
            }
            _ = try sandbox.replies("ListItems")
            for format in ["json", "icalendar", "coredata"] { try passRound(sandbox, format) }
            let copy = "\(sandbox.directory)/copy-\(time)"
            #expect(try sandbox.call("Backup", #"{"path":"\#(copy)"}"#).error == nil)
            try FileManager.default.removeItem(atPath: copy)
            #expect(try sandbox.call("Import", #"{"text":"{\"items\":[]}"}"#).error != nil)
            // Some clients disconnect before they have their reply.
            for method in ["ListItems", "Export", "Status", "Watch"] {
                try sandbox.connect().call(method, more: true)
            }
        }
        // This call is answered after the daemon has handled the disconnected clients.
        _ = try sandbox.call("Status")
    }

    /// Exports everything and imports it again, first as a dry run.
    private func passRound(_ sandbox: Sandbox, _ format: String) throws {
        let texts = try sandbox.replies("Export", #"{"format":"\#(format)"}"#).map { $0.text("text") ?? "" }
        let text = JSON.string(texts.joined()).text
        for isDry in [true, false] {
            let parameters = #"{"text":\#(text),"format":"\#(format)","dryRun":\#(isDry)}"#
            #expect(try sandbox.call("Import", parameters).integer("unchanged") == 300)
        }
        let new = #"{\"todod\":1,\"categories\":[],\"items\":[{\"uid\":\"new\",\"name\":\"new\"}]}"#
        #expect(try sandbox.call("Import", #"{"text":"\#(new)"}"#).integer("added") == 1)
        #expect(try sandbox.call("Undo").error == nil)
    }

    @Test func clientWithoutDescriptorIsRefusedWithReason() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let first = try sandbox.connect()
        try first.call("GetItem", #"{"id":1}"#)
        #expect(try first.nextReply().error == "dev.todod.Todo.ItemNotFound")

        // Eight more are possible. The daemon may have inherited descriptors with larger numbers.
        let used = try Set(daemon.descriptors)
        let limit = try #require((0..<100_000).filter { !used.contains($0) }.dropFirst(7).first) + 1
        try daemon.limitDescriptors(to: limit)
        var clients: [ClientConnection] = []
        var reason: String?
        while reason == nil, clients.count < limit {
            let client = try sandbox.connect()
            try client.call("GetItem", #"{"id":1}"#)
            reason = try client.nextReply().text("reason")
            clients.append(client)
        }
        #expect(reason?.contains("LimitNOFILE=") == true)
        // A client that is connected already is served normally.
        try first.call("GetItem", #"{"id":1}"#)
        #expect(try first.nextReply().error == "dev.todod.Todo.ItemNotFound")
        clients = []
        try daemon.limitDescriptors(to: 1_024)
        #expect(try sandbox.call("Status").error == nil)
    }

    @Test func clientThatCannotBeAcceptedWaitsWithoutLoad() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.call("Status").error == nil)
        // This limit is below all open descriptors, so a closed one makes no room.
        try daemon.limitDescriptors(to: 3)
        let client = try sandbox.connect()
        try client.call("Status")
        try expectIdle(daemon, sandbox)
        try daemon.limitDescriptors(to: 1_024)
        #expect(try client.nextReply().error == nil)
    }

    /// The clients disconnect while they read a list, while they watch, after they end their sending direction, and
    /// while their call waits for the store.
    @Test func disconnectedClientsCauseNoLoad() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems((1...2_000).map { "item \($0)" })
        let writer = try SQLiteConnection(path: sandbox.store, mode: .readWrite)
        try writer.execute("BEGIN IMMEDIATE")
        for _ in 1...20 {
            try sandbox.connect().call("AddItem", #"{"name":"late"}"#)
            try sandbox.connect().call("ListItems", more: true)
            try watchAndLeave(sandbox)
        }
        do {
            // This call waits after all the others, so they were handled when it is answered.
            let last = try sandbox.connect()
            try last.call("AddItem", #"{"name":"last"}"#)
            #expect(try sandbox.call("Status").error == nil)
            try writer.execute("ROLLBACK")
            #expect(try last.nextReply().error == nil)
        }
        let status = try sandbox.call("Status")
        #expect(status.integer("connections") == 1)
        #expect(status.integer("watchers") == 0)
        // The changes of the disconnected clients were saved.
        #expect(status.integer("items") == 2_021)
        try expectIdle(daemon, sandbox)
    }

    /// Ends the sending direction after the call, and disconnects after the first reply.
    private func watchAndLeave(_ sandbox: Sandbox) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let address = try #require(UnixAddress(path: sandbox.socket))
        try #require(address.withSocketAddress { connect(descriptor, $0, $1) } == 0)
        let call = #"{"method":"dev.todod.Todo.Watch","more":true}"# + "\0"
        try #require(send(descriptor, call, call.utf8.count, 0) == call.utf8.count)
        try #require(shutdown(descriptor, Int32(SHUT_WR)) == 0)
        var answer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &answer, answer.count, 0)
        #expect(String(decoding: answer.prefix(max(count, 0)), as: UTF8.self).contains(#""ready""#))
    }

    /// Waits for a period in which other programs run and the daemon uses no processor time.
    private func expectIdle(_ daemon: RunningDaemon, _ sandbox: Sandbox) throws {
        let isIdle = try (1...20).contains { _ in
            let before = try daemon.processorTicks
            for _ in 1...20 { #expect(try sandbox.todoctl("--version").status == 0) }
            return try daemon.processorTicks - before <= 1
        }
        #expect(isIdle)
    }
}

extension RunningDaemon {
    private func contents(_ file: String) throws -> String {
        try String(contentsOfFile: "/proc/\(processID)/\(file)", encoding: .utf8)
    }

    var descriptors: [Int] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").compactMap {
                Int($0)
            }
        }
    }

    /// The greatest resident size so far.
    var largestResidentKilobytes: Int {
        get throws { try kilobytes("VmHWM:") }
    }

    func kilobytes(_ field: String) throws -> Int {
        let line = try contents("status").split(separator: "\n").first { $0.hasPrefix(field) }
        return try #require(
            line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    /// The processor time used so far, in hundredths of a second.
    var processorTicks: Int {
        get throws {
            let fields = try contents("stat").split(separator: ")").last?.split(separator: " ") ?? []
            let times = fields.dropFirst(11).prefix(2).compactMap { Int($0) }
            try #require(times.count == 2)
            return times[0] + times[1]
        }
    }

    func limitDescriptors(to count: Int) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/prlimit")
        process.arguments = ["--pid", "\(processID)", "--nofile=\(count):"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
