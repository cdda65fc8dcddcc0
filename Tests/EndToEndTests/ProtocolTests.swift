import Foundation
import Testing

/// Bytes on the real socket, as a shell or another program sends them.
@Suite struct ProtocolTests {
    /// Sends `bytes`, closes the sending direction, and returns everything that the daemon sends.
    private func exchange(_ bytes: [UInt8], with sandbox: Sandbox) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: sandbox.socket.utf8) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(connected == 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The daemon disconnects when a message is too long.
            if count < 0 { break }
            rest = rest.dropFirst(count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { break }
            answer += chunk[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    private func exchange(_ text: String, with sandbox: Sandbox) throws -> String {
        try exchange(Array(text.utf8), with: sandbox)
    }

    @Test func shellIsAnsweredInLines() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let answer = try exchange(
            #"{"method":"dev.todod.Todo.AddCategory","parameters":{"name":"Home"}}"# + "\n"
                + #"{"method":"dev.todod.Todo.ListCategories"}"# + "\n", with: sandbox)
        #expect(
            answer == #"{"parameters":{"category":{"id":1,"name":"Home","muted":false,"items":0,"open":0}}}"#
                + "\n"
                + #"{"parameters":{"categories":[{"id":1,"name":"Home","muted":false,"items":0,"open":0}]}}"#
                + "\n")
    }

    @Test func serviceDescribesItself() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let info = try exchange(#"{"method":"org.varlink.service.GetInfo"}"# + "\0", with: sandbox)
        #expect(
            info.contains(#""interfaces":["org.varlink.service","dev.todod.Todo"]"#) && info.hasSuffix("\0"))
        let description = try exchange(
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"dev.todod.Todo"}}"#
                + "\0", with: sandbox)
        #expect(description.contains("method AddItem("))
        let unknown = try exchange(
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}"#
                + "\0", with: sandbox)
        #expect(
            unknown == #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a.b"}}"#
                + "\0")
    }

    @Test(arguments: [
        (
            #"{"method":"dev.todod.Todo.Fly"}"#,
            #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"dev.todod.Todo.Fly"}}"#
        ),
        (
            #"{"method":"a.b.C"}"#,
            #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a.b"}}"#
        ),
        (
            #"{"method":"dev.todod.Todo.AddItem"}"#,
            #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"name","reason":"expected a string, found nothing"}}"#
        ),
        (
            #"{"method":"dev.todod.Todo.DeleteItems","parameters":{"ids":[5]}}"#,
            #"{"error":"dev.todod.Todo.ItemNotFound","parameters":{"ids":[5]}}"#
        ),
    ])
    func errorsKeepTheConnectionUsable(call: String, answer: String) throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let list = #"{"method":"dev.todod.Todo.ListItems"}"#
        #expect(
            try exchange("\(call)\0\(list)\0", with: sandbox)
                == "\(answer)\0{\"parameters\":{\"items\":[]}}\0")
    }

    @Test func daemonSurvivesInvalidMessages() throws {
        let sandbox = try Sandbox()
        let daemon = try sandbox.startDaemon()
        let nests = [UInt8](repeating: UInt8(ascii: "["), count: 500_000)
        let inputs: [[UInt8]] = [
            Array("hello\n".utf8), Array("[]\0".utf8), Array("{}\0".utf8), Array("\0\0\0".utf8),
            Array("{\"method\"".utf8), [0xFF, 0xFE, 0x00],
            Array("{\"method\":\"x\",\"parameters\":{\"a\":".utf8) + nests + [0],
            [UInt8](repeating: UInt8(ascii: "{"), count: 3 << 20), [],
            Array("{\"method\":\"\u{0}".utf8),
        ]
        for input in inputs {
            let answer = try exchange(input, with: sandbox)
            #expect(
                answer.isEmpty
                    || answer.hasPrefix(#"{"error":"dev.todod.Todo.InvalidMessage","parameters":{"reason":"#),
                "\(answer.prefix(200))")
        }
        #expect(try sandbox.todoctl("status").status == 0)
        #expect(daemon.process.isRunning)
        #expect(daemon.stop() == 0)
    }

    @Test func repliesAreInOrderOfCalls() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.startDaemon()
        let adds = (1...300).map {
            #"{"method":"dev.todod.Todo.AddItem","parameters":{"name":"item \#($0)"}}"# + "\0"
        }.joined()
        #expect(try exchange(adds, with: sandbox).components(separatedBy: "\0").count == 301)
        let answer = try exchange(#"{"method":"dev.todod.Todo.ListItems","more":true}"# + "\0", with: sandbox)
        let replies = answer.split(separator: "\0")
        #expect(replies.count == 3)
        #expect(replies.map { $0.contains("\"continues\":true") } == [true, true, false])
        let ids = answer.components(separatedBy: "\"id\":").dropFirst().compactMap {
            Int($0.prefix { $0.isNumber })
        }
        #expect(ids == Array(1...300))
    }
}
