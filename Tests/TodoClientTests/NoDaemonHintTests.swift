import Testing

@testable import TodoClient

@Suite struct NoDaemonHintTests {
    private func text(
        runtime: String?, exists: Bool = true, failed: Bool = false, installed: Bool = true,
        active: Bool = false, socket: String = "/run/user/7/todod/socket"
    ) -> String {
        NoDaemonHint(
            at: socket, userID: 7, environment: { $0 == "XDG_RUNTIME_DIR" ? runtime : nil },
            directoryExists: { $0 == "/run/user/7" && exists }, unitHasFailed: { _ in failed },
            unitIsInstalled: { _ in installed }, unitIsActive: { _ in active }
        ).text
    }

    /// C4: The hint starts both units. With only the socket, no alert is sent before the next command.
    @Test func eachReasonHasAHint() {
        #expect(
            text(runtime: "/run/user/7").hasPrefix(
                "Start it:  systemctl --user start todod.socket todod.service\n"))
        #expect(
            text(runtime: "/run/user/7", failed: true).hasSuffix(
                "\n  systemctl --user start todod.socket todod.service"))
        #expect(
            text(runtime: "/run/user/7", failed: true).contains(
                "\n  systemctl --user reset-failed todod.service"))
        #expect(
            text(runtime: "/run/user/7", installed: false).contains(
                "terminal:  todod\nOr start it at every login"))
        #expect(
            text(runtime: "/run/user/7", failed: true, installed: false).hasPrefix("Its service has failed."))
        #expect(text(runtime: "/elsewhere", exists: false).hasPrefix("Start it:"))
        for unset in [nil, ""] {
            #expect(
                text(runtime: unset).hasPrefix(
                    "Start it:  XDG_RUNTIME_DIR=/run/user/7 systemctl --user start todod.socket todod.service\n"
                ))
            #expect(
                text(runtime: unset, failed: true).contains("  XDG_RUNTIME_DIR=/run/user/7 journalctl --user")
            )
            #expect(text(runtime: unset, exists: false).contains("loginctl enable-linger"))
        }
    }

    @Test func activeSocketIsNotStartedAgain() {
        #expect(
            text(runtime: "/run/user/7", active: true) == """
                Its socket file was removed. To create it again:
                  systemctl --user stop todod.socket todod.service
                  systemctl --user start todod.service
                """)
        #expect(
            text(runtime: "/run/user/7", active: true, socket: "/tmp/s") == """
                The service listens at /run/user/7/todod/socket,
                but --socket or TODOD_SOCKET names another path.
                """)
        #expect(text(runtime: "/run/user/7", failed: true, active: true).hasPrefix("Its service has failed."))
    }

    @Test func unitIsQueriedInItsRuntimeDirectory() {
        var asked: [String] = []
        for runtime in ["/r", nil] {
            _ = NoDaemonHint(
                at: "/s", userID: 7, environment: { _ in runtime }, directoryExists: { _ in true },
                unitHasFailed: {
                    asked.append($0)
                    return false
                },
                unitIsInstalled: {
                    asked.append($0)
                    return true
                },
                unitIsActive: {
                    asked.append($0)
                    return true
                })
        }
        #expect(asked == ["/r", "/r", "/r", "/run/user/7", "/run/user/7", "/run/user/7"])
    }
}
