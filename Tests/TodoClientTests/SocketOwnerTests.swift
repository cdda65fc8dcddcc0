import Testing

@testable import TodoClient

@Suite struct SocketOwnerTests {
    private func message(_ userID: UInt32, _ owners: [String: UInt32]) -> String? {
        SocketOwner(
            of: "/run/user/7/todod/socket", userID: userID, owner: { owners[$0] }, name: { "user\($0)" }
        )?.error.message
    }

    /// C6: The error for the socket of another user names its owner.
    @Test func socketOfAnotherUserNamesItsOwner() {
        let hidden: [String: UInt32] = ["/run": 0, "/run/user": 0, "/run/user/7": 7]
        #expect(
            message(8, hidden) == """
                todoctl: the list at /run/user/7/todod/socket belongs to user7; only its owner can read it
                For your own list, omit --socket and TODOD_SOCKET.
                """)
        let seen = hidden.merging(["/run/user/7/todod": 7, "/run/user/7/todod/socket": 7]) { $1 }
        #expect(
            message(0, seen)?.hasSuffix(
                "runuser -u user7 -- todoctl --socket '/run/user/7/todod/socket'") == true)
        #expect(message(8, ["/run/user/7/todod/socket": 0])?.contains("belongs to user0;") == true)
    }

    /// C6: There is no such error for one's own socket, or for one with an unknown owner.
    @Test func ownSocketIsNotReported() {
        #expect(message(7, ["/run/user/7": 7]) == nil)
        #expect(message(7, ["/run": 0]) == nil)
        #expect(message(7, [:]) == nil)
    }
}
