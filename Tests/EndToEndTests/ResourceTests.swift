import Foundation
import SQLiteDriver
import Testing
import TodoAPI
import Varlink

/// What the daemon takes of the machine, as the machine itself tells.
@Suite struct ResourceTests {
    private static let longItems = 24
    /// Of items whose notes have a megabyte each, and what they may take: less than when all of them are held.
    private static let veryManyLongItems = 64
    private static let residentKilobytesLimit = 48 << 10

    /// The notes are written, and the replies are counted, by others than our JSON: in a debug build that takes its time.
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
        // The first of the answers that it does not take.
        #expect(try client.nextReply().error == nil)
        #expect(try daemon.largestResidentKilobytes < before + Self.residentKilobytesLimit)
    }

    /// Small pieces are left of it, all over the place.
    @Test func theMemoryOfALargeChangeIsGivenBack() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let client = try sandbox.connect()
        let notes = String(repeating: "n", count: 1_000_000)
        for number in 1...Self.longItems {
            let item = #"{"name":"\#(number)","notes":"\#(notes)"}"#
            // Answers would be as long.
            let call = #"{"method":"dev.todod.Todo.AddItem","oneway":true,"parameters":\#(item)}"#
            try client.send(Array(call.utf8))
        }
        try client.call("Status")
        #expect(try client.nextReply().integer("items") == Int64(Self.longItems))
        let before = try daemon.kilobytes("VmRSS:")
        #expect(try sandbox.call("Undo", #"{"count":\#(Self.longItems)}"#).error == nil)
        #expect(try sandbox.call("AddItem", #"{"name":"x"}"#).error == nil)
        // As every minute does.
        kill(daemon.processID, SIGUSR1)
        let isSmall = try (1...1_000).contains { _ in
            _ = try sandbox.call("Status")
            return try daemon.kilobytes("VmRSS:") < before + (10 << 10)
        }
        #expect(isSmall)
    }

    @Test func descriptorsDoNotBecomeMore() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        try sandbox.addItems((1...300).map { "item \($0)" })
        try use(sandbox, times: 2)
        let count = try daemon.descriptors.count
        try use(sandbox, times: 15)
        // The daemon may still be learning that the last clients have left.
        let areFew = try (1...1_000).contains { _ in
            _ = try sandbox.call("Status")
            return try daemon.descriptors.count <= count + 2
        }
        #expect(areFew)
    }

    /// Everything that opens a file or a connection.
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
            // Some leave before they have what they asked for.
            for method in ["ListItems", "Export", "Status", "Watch"] {
                try sandbox.connect().call(method, more: true)
            }
        }
        // Who comes later is answered when those who have left were seen to.
        _ = try sandbox.call("Status")
    }

    /// Everything goes out, and comes in again: in a dry run, and then as it is.
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

    @Test func whoComesWhenNoDescriptorIsLeftIsToldSo() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let first = try sandbox.connect()
        try first.call("GetItem", #"{"id":1}"#)
        #expect(try first.nextReply().error == "dev.todod.Todo.ItemNotFound")

        try daemon.limitDescriptors(to: try #require(daemon.descriptors.max()) + 1)
        var clients: [ClientConnection] = []
        var reason: String?
        while reason == nil, clients.count < 100 {
            let client = try sandbox.connect()
            try client.call("GetItem", #"{"id":1}"#)
            reason = try client.nextReply().text("reason")
            clients.append(client)
        }
        #expect(reason?.contains("LimitNOFILE=") == true)
        // Who is in already is served as ever.
        try first.call("GetItem", #"{"id":1}"#)
        #expect(try first.nextReply().error == "dev.todod.Todo.ItemNotFound")
        clients = []
        try daemon.limitDescriptors(to: 1_024)
        #expect(try sandbox.call("Status").error == nil)
    }

    @Test func whoCannotEvenBeToldWaitsAndCostsNoTime() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        #expect(try sandbox.call("Status").error == nil)
        // Below all that are open, so that none can be opened in place of another.
        try daemon.limitDescriptors(to: 3)
        let client = try sandbox.connect()
        try client.call("Status")
        try expectIdle(daemon, sandbox)
        try daemon.limitDescriptors(to: 1_024)
        #expect(try client.nextReply().error == nil)
    }

    /// In the midst of a list, while they watch, having ended their sending, and while their call waits for the store.
    @Test func whoHangsUpCostsNoTimeAfterwards() throws {
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
            // It waits behind the others, so when it is answered all of them were.
            let last = try sandbox.connect()
            try last.call("AddItem", #"{"name":"last"}"#)
            #expect(try sandbox.call("Status").error == nil)
            try writer.execute("ROLLBACK")
            #expect(try last.nextReply().error == nil)
        }
        let status = try sandbox.call("Status")
        #expect(status.integer("connections") == 1)
        #expect(status.integer("watchers") == 0)
        // What was asked before they left was done.
        #expect(status.integer("items") == 2_021)
        try expectIdle(daemon, sandbox)
    }

    /// Ends its sending as soon as it has called, and leaves when it has been answered.
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

    /// The daemon comes to rest: there is a time in which other programs run, and it does not.
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

    /// The most that it ever had in memory at once.
    var largestResidentKilobytes: Int {
        get throws { try kilobytes("VmHWM:") }
    }

    func kilobytes(_ field: String) throws -> Int {
        let line = try contents("status").split(separator: "\n").first { $0.hasPrefix(field) }
        return try #require(
            line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }

    /// The time of the processor that it has taken, in hundredths of a second.
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
