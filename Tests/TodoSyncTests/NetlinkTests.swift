import Dispatch
import Testing

@testable import TodoSync

@Suite struct NetlinkTests {
    // The numbers of rtnetlink(7).
    private static let newLink: UInt16 = 16
    private static let newRoute: UInt16 = 24
    private static let isPartOfAnswer: UInt16 = 2

    private func bytes16(_ number: UInt16) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    private func bytes32(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    private func message(_ type: UInt16, flags: UInt16 = 0, _ body: [UInt8] = []) -> [UInt8] {
        bytes32(UInt32(16 + body.count)) + bytes16(type) + bytes16(flags) + bytes32(0) + bytes32(0) + body
    }

    private func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        bytes16(UInt16(4 + value.count)) + bytes16(type) + value
    }

    /// A route: the length of its prefix, its table, its type, its interface and its destination.
    private func route(
        bits: UInt8 = 0, table: UInt8 = 254, type: UInt8 = 1, interface: UInt32 = 2, to address: [UInt8] = []
    ) -> [UInt8] {
        [2, bits, 0, 0, table, 0, 0, type, 0, 0, 0, 0]
            + (address.isEmpty ? [] : attribute(1, address)) + attribute(4, bytes32(interface))
    }

    @Test func changeIsFound() {
        #expect(NetlinkMessages(message(Self.newLink)).hasChange)
        #expect(NetlinkMessages(message(3) + message(Self.newRoute, route())).hasChange)
        #expect(!NetlinkMessages([]).hasChange)
    }

    @Test func answerToARequestIsNoChange() {
        let messages = NetlinkMessages(
            message(Self.newRoute, flags: Self.isPartOfAnswer, route()) + message(3, flags: 2, [0, 0, 0, 0]))
        #expect(!messages.hasChange)
        #expect(messages.hasRoute)
        #expect(messages.isEndOfRoutes)
    }

    @Test func routesInsideThisMachineDoNotCount() {
        let linkLocal: [UInt8] = [0xFE, 0x80] + Array(repeating: 0, count: 14)
        for body in [
            route(interface: 1), route(table: 255), route(type: 2), route(bits: 64, to: linkLocal), [2, 0],
        ] {
            #expect(!NetlinkMessages(message(Self.newRoute, body)).hasRoute)
        }
        #expect(NetlinkMessages(message(Self.newRoute, route(bits: 24, to: [10, 0, 0, 0]))).hasRoute)
    }

    @Test func cutMessagesAreIgnored() {
        let whole = message(Self.newRoute, route())
        for count in 0..<whole.count { #expect(!NetlinkMessages(Array(whole.prefix(count))).hasChange) }
        #expect(!NetlinkMessages(bytes32(4) + message(Self.newLink)).hasChange)
    }

    @Test func systemAnswersTheRequestForRoutes() {
        let queue = DispatchQueue(label: "test")
        #expect(queue.sync { NetworkWatch(queue: queue) {} } != nil)
        // The answer depends on the machine.
        _ = NetworkWatch.hasNetwork
    }
}
