import Testing
import Varlink

@Suite struct ServerConnectionTests {
    private func machine() -> ServerConnection { ServerConnection(brokenMessageError: "t.Broken") }

    private func output(_ machine: borrowing ServerConnection) -> String {
        String(decoding: machine.output, as: UTF8.self)
    }

    @Test func callsAreReturnedOneByOneInOrder() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\0{\"method\":\"t.B\"}\0{\"meth".utf8)
        #expect(machine.nextCall()?.method == "t.A")
        #expect(machine.nextCall() == nil)
        #expect(machine.wantsInput == false)
        machine.reply(Array("1".utf8), continues: true)
        #expect(machine.nextCall() == nil)
        machine.reply(Array("2".utf8), continues: false)
        #expect(machine.nextCall()?.method == "t.B")
        machine.reply(Array("3".utf8), continues: false)
        #expect(machine.nextCall() == nil)
        #expect(machine.wantsInput == true)
        #expect(output(machine) == "1\u{0}2\u{0}3\u{0}")
    }

    @Test func onewayCallIsNeverAnswered() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\",\"oneway\":true}\0{\"method\":\"t.B\"}\0".utf8)
        _ = machine.nextCall()
        machine.reply(Array("error".utf8), continues: false)
        #expect(machine.nextCall()?.method == "t.B")
        #expect(machine.output.isEmpty == true)
    }

    @Test func repliesUseTerminatorOfClient() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\n".utf8)
        _ = machine.nextCall()
        machine.reply(Array("1".utf8), continues: false)
        #expect(output(machine) == "1\n")
    }

    @Test func halfClosedClientGetsEveryReply() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\0{\"method\":\"t.B\"}\0".utf8)
        machine.receiveEnd()
        _ = machine.nextCall()
        machine.reply(Array("1".utf8), continues: false)
        #expect(machine.isFinished == false)
        #expect(machine.nextCall()?.method == "t.B")
        machine.reply(Array("2".utf8), continues: false)
        #expect(machine.nextCall() == nil)
        #expect(machine.isFinished == false)
        machine.discardOutput(machine.output.count)
        #expect(machine.isFinished == true)
    }

    @Test(arguments: [
        "nonsense\n", "{\"method\":}\0", "{}\0", "[]\0", "{\"method\":\"t.A\",\"x\":1}\0", "\0",
    ])
    func malformedCallIsAnsweredAndEndsConnection(input: String) {
        var machine = machine()
        machine.receive(input.utf8)
        #expect(machine.nextCall() == nil)
        #expect(output(machine).hasPrefix("{\"error\":\"t.Broken\",\"parameters\":{\"reason\":\""))
        machine.receive("{\"method\":\"t.A\"}\0".utf8)
        #expect(machine.nextCall() == nil)
        #expect(machine.wantsInput == false)
        machine.discardOutput(machine.output.count)
        #expect(machine.isFinished == true)
    }

    @Test func unterminatedMessageIsRefusedAtLimit() {
        var machine = ServerConnection(brokenMessageError: "t.Broken", messageBytesLimit: 1_000)
        machine.receive([UInt8](repeating: UInt8(ascii: "{"), count: 1_001))
        #expect(machine.nextCall() == nil)
        #expect(output(machine).contains("longer than 1000 bytes"))
    }

    @Test func inputStopsWhileRepliesAreUnread() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\0".utf8)
        _ = machine.nextCall()
        machine.reply([UInt8](repeating: 0x20, count: ServerConnection.unsentBytesLimit), continues: false)
        #expect(machine.wantsInput == false)
        machine.discardOutput(2)
        #expect(machine.wantsInput == true)
    }

    @Test func pipelinedCallsAreReadUpToLimit() {
        var machine = ServerConnection(brokenMessageError: "t.Broken", messageBytesLimit: 1_000)
        let call = Array("{\"method\":\"t.A\"}\0".utf8)
        machine.receive(call)
        _ = machine.nextCall()
        #expect(machine.hasRoomForInput == true)
        for _ in 0...1_000 / call.count { machine.receive(call) }
        #expect(machine.hasRoomForInput == false)
        // After one call is handled, there is room again.
        machine.reply([], continues: false)
        _ = machine.nextCall()
        machine.reply([], continues: false)
        _ = machine.nextCall()
        #expect(machine.hasRoomForInput == true)
    }

    @Test func failedTurnReplacesItsReplies() {
        var machine = machine()
        machine.receive(
            "{\"method\":\"t.A\"}\0{\"method\":\"t.B\"}\0{\"method\":\"t.C\",\"oneway\":true}\0{\"method\":\"t.D\"}\0"
                .utf8)
        _ = machine.nextCall()
        machine.reply(Array("1".utf8), continues: false)
        machine.beginTurn()
        _ = machine.nextCall()
        machine.reply(Array("2".utf8), continues: true)
        machine.reply(Array("3".utf8), continues: false)
        _ = machine.nextCall()
        machine.reply(Array("4".utf8), continues: false)
        _ = machine.nextCall()
        machine.failTurn(Array("E".utf8))
        #expect(output(machine) == "1\u{0}E\u{0}")
        #expect(machine.isHandling == true)
        machine.reply(Array("5".utf8), continues: false)
        #expect(output(machine) == "1\u{0}E\u{0}5\u{0}")
    }

    @Test func failedTurnReplacesReplyToMalformedCall() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\0nonsense\0".utf8)
        machine.beginTurn()
        _ = machine.nextCall()
        machine.reply(Array("1".utf8), continues: false)
        #expect(machine.nextCall() == nil)
        machine.failTurn(Array("E".utf8))
        #expect(output(machine) == "E\u{0}E\u{0}")
    }

    @Test func earlierRepliesCanBeSentDuringTurn() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\0{\"method\":\"t.B\"}\0".utf8)
        _ = machine.nextCall()
        machine.reply(Array("1".utf8), continues: false)
        machine.beginTurn()
        machine.discardOutput(machine.unsentCount)
        _ = machine.nextCall()
        machine.reply(Array("2".utf8), continues: false)
        machine.failTurn(Array("E".utf8))
        #expect(output(machine) == "E\u{0}")
    }

    @Test func endedTurnKeepsItsReplies() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\0".utf8)
        _ = machine.nextCall()
        machine.beginTurn()
        machine.reply(Array("1".utf8), continues: false)
        machine.endTurn()
        machine.failTurn(Array("E".utf8))
        #expect(output(machine) == "1\u{0}")
    }

    @Test func callsWaitWhileRepliesAreUnread() {
        var machine = machine()
        machine.receive("{\"method\":\"t.A\"}\0{\"method\":\"t.B\"}\0".utf8)
        _ = machine.nextCall()
        machine.reply([UInt8](repeating: 0x20, count: ServerConnection.unsentBytesLimit), continues: false)
        #expect(machine.nextCall() == nil)
        machine.discardOutput(2)
        #expect(machine.nextCall()?.method == "t.B")
    }
}
